import { setTimeout as sleep } from 'node:timers/promises';
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

describe('POST /dashboard/api/ai/upload and /jobs', () => {
  it('keep a photo and create a job of it, as the public API does', async () => {
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

  it('answer the same request again with the first answer', async () => {
    const headers = { 'idempotency-key': 'once' };
    const { url } = (await upload()).body as { url: string };
    const json = { sourceUrl: url, operation: 'upscale' };
    const first = await browser.call('POST', '/ai/enhance', { json, headers });
    const again = await browser.call('POST', '/ai/enhance', { json, headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((again.body as { id: string }).id).toBe((first.body as { id: string }).id);
  });

  it('run the same order again as a new job', async () => {
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
    // Addresses are signed anew in every second.
    await sleep(1_100);
    const repeated = await browser.call('POST', `/ai/enhance/${first.id}/run-again`, twice);
    expect([again.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    expect((repeated.body as { id: string }).id).toBe((again.body as { id: string }).id);
    await harness.rows('UPDATE sources SET deleted_at = now() WHERE account_id = $1', [account.id]);
    expect((await browser.call('POST', `/ai/enhance/${first.id}/run-again`)).status).toBe(410);
  });
});
