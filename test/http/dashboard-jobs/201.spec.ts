import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(() => harness.close());

const upload = async () =>
  browser.call('POST', '/ai/upload', { file: { bytes: await photo(48, 32, 'jpeg'), name: 'photo.jpg' } });

describe('POST /dashboard/api/ai/upload and /enhance', () => {
  it('store a photo and create a job for it, as the public API does', async () => {
    const source = await upload();
    expect(source.status, source.text).toBe(201);
    const { id, url } = source.body as { id: string; url: string };
    expect((await browser.call('GET', `/ai/sources/${id}`)).body).toMatchObject({
      id,
      width: 48,
      height: 32,
    });
    const order = { sourceUrl: url, operation: 'upscale', level: 'low', metadata: { from: 'test' } };
    const { status, body, headers } = await browser.call('POST', '/ai/enhance', { json: order });
    expect(status).toBe(201);
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
    expect(body).toMatchObject({
      status: 'queued',
      operation: 'upscale',
      level: 'low',
      metadata: { from: 'test' },
      thumbnailUrl: expect.stringMatching(/\/thumbnail$/) as string,
      key: null,
    });
    const seen = await harness.call('GET', `/api/ai/enhance/${(body as { id: string }).id}`, {
      key: account.key,
    });
    expect(seen.status).toBe(200);
  });

  it('return the first response again for the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const { url } = (await upload()).body as { url: string };
    const json = { sourceUrl: url, operation: 'upscale' };
    const first = await browser.call('POST', '/ai/enhance', { json, headers });
    const again = await browser.call('POST', '/ai/enhance', { json, headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((again.body as { id: string }).id).toBe((first.body as { id: string }).id);
  });

  it('run a job again as a new job with the same settings', async () => {
    const output = { format: 'webp', quality: 70 };
    const first = await harness.newJob(account, { level: 'high', output, metadata: { a: 'b' } });
    const { status, body, text } = await browser.call('POST', `/ai/enhance/${first.id}/run-again`);
    expect(status, text).toBe(201);
    expect(body).toMatchObject({
      status: 'queued',
      level: 'high',
      output: { format: 'webp', quality: 70, background: null },
      metadata: { a: 'b' },
      key: null,
    });
    expect((body as { id: string }).id).not.toBe(first.id);
    const twice = { headers: { 'idempotency-key': 'again' } };
    const again = await browser.call('POST', `/ai/enhance/${first.id}/run-again`, twice);
    // Signed URLs change every second.
    await sleep(1_100);
    const repeated = await browser.call('POST', `/ai/enhance/${first.id}/run-again`, twice);
    expect([again.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    expect((repeated.body as { id: string }).id).toBe((again.body as { id: string }).id);
    await harness.rows('UPDATE sources SET deleted_at = now() WHERE account_id = $1', [account.id]);
    expect((await browser.call('POST', `/ai/enhance/${first.id}/run-again`)).status).toBe(410);
  });

  it('run a job again with its retention, as far as the plan still allows it', async () => {
    const first = await harness.newJob(account, { expiresIn: 600, retention: 'deliver' });
    const again = async () => {
      const { status, body, text } = await browser.call('POST', `/ai/enhance/${first.id}/run-again`);
      expect(status, text).toBe(201);
      const query = 'SELECT expires_in AS "expiresIn", retention FROM jobs WHERE id = $1';
      return harness.rows(query, [(body as { id: string }).id]);
    };
    expect(await again()).toEqual([{ expiresIn: 600, retention: 'deliver' }]);
    const years = 20 * 366 * 86_400;
    await harness.rows('UPDATE jobs SET expires_in = $2 WHERE id = $1', [first.id, years]);
    expect(await again()).toEqual([{ expiresIn: 30 * 86_400, retention: 'deliver' }]);
  });

  it('run a job again with its preset as it was, and with its pinned model versions', async () => {
    const preset = { operations: [{ operation: 'smooth_skin' }], output: { format: 'webp' } };
    await harness.newPreset(account, 'studio', preset);
    const pinned = [
      { operation: 'auto_enhance' },
      { operation: 'upscale', level: 'low', model: 'upscale@1' },
    ];
    const jobs = [
      await harness.newJob(account, { operation: undefined, preset: 'studio' }),
      await harness.newJob(account, { level: 'low', model: 'upscale@1' }),
      await harness.newJob(account, { operation: undefined, operations: pinned }),
    ];
    await harness.newPreset(account, 'studio', { operations: [{ operation: 'bg_remove' }] });
    const whatOf = async (id: string) =>
      (
        await harness.rows(
          'SELECT operation, level, promise, steps, output, preset, enhancements FROM jobs WHERE id = $1',
          [id],
        )
      )[0];
    for (const { id } of jobs) {
      const answer = await browser.call('POST', `/ai/enhance/${id}/run-again`);
      expect(answer.status, answer.text).toBe(201);
      expect(await whatOf((answer.body as { id: string }).id)).toEqual(await whatOf(id));
    }
    expect(await whatOf(jobs[0]!.id)).toMatchObject({ preset: 'studio', operation: 'smooth_skin' });
    expect(await whatOf(jobs[1]!.id)).toMatchObject({ promise: { producesAlpha: '+upscale/low/2/false@1' } });
  });

  it('run a background removal again with a new mask, or with its last one', async () => {
    const gray = { create: { width: 48, height: 32, channels: 3, background: '#808080' } } as const;
    const png = await sharp(gray).png().toBuffer();
    const mask = async () => {
      const file = { bytes: png, name: 'mask.png' };
      return {
        sourceUrl: ((await browser.call('POST', '/ai/upload', { file })).body as { url: string }).url,
      };
    };
    const { url: sourceUrl } = (await upload()).body as { url: string };
    const first = {
      sourceUrl,
      operation: undefined,
      operations: [{ operation: 'upscale' }, { operation: 'bg_remove' }],
    };
    let { id } = await harness.newJob(account, first);
    let lastMask = '';
    for (const json of [{ mask: await mask() }, { mask: await mask() }, {}]) {
      const answer = await browser.call('POST', `/ai/enhance/${id}/run-again`, { json });
      expect(answer.status, answer.text).toBe(201);
      const job = answer.body as { id: string; operations: { mask?: { sourceUrl: string } }[] };
      const given = json.mask?.sourceUrl ?? lastMask;
      lastMask = given;
      expect(job.operations[0]).not.toHaveProperty('mask');
      expect(job.operations[1]!.mask!.sourceUrl.split('?')[0]).toBe(given.split('?')[0]);
      id = job.id;
    }
    const upscaled = await harness.newJob(account, { sourceUrl });
    const refused = await browser.call('POST', `/ai/enhance/${upscaled.id}/run-again`, {
      json: { mask: await mask() },
    });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { errors: [{ field: 'mask', code: 'conflict' }] },
    ]);
  });
});
