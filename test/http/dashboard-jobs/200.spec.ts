import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { thumbnailKey } from '../../../src/uploads/thumbnails/thumbnail.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import type { SourceAnswer } from '../../support/app/answers.js';
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

interface Shown {
  readonly id: string;
  readonly thumbnailUrl: string | null;
}

describe('GET /dashboard/api/ai/enhance', () => {
  it('lists jobs that keys and the dashboard created, with the key, page by page', async () => {
    const made = [
      await harness.newJob(account),
      await harness.newJob(account),
      await harness.newJob(account),
    ];
    const first = await browser.call('GET', '/ai/enhance?limit=2');
    const { data, hasMore, nextCursor } = first.body as {
      data: Shown[];
      hasMore: boolean;
      nextCursor: string;
    };
    expect(data.map(({ id }) => id)).toEqual([made[2]!.id, made[1]!.id]);
    expect(data[0]).toMatchObject({
      key: { id: account.keyId, name: 'First key' },
      thumbnailUrl: expect.stringMatching(/\/thumbnail$/) as string,
    });
    expect(hasMore).toBe(true);
    const next = await browser.call('GET', `/ai/enhance?limit=2&cursor=${nextCursor}`);
    expect((next.body as { data: Shown[] }).data.map(({ id }) => id)).toEqual([made[0]!.id]);
  });

  it('filters by status', async () => {
    const { id } = await harness.newJob(account);
    await harness.jobs.fail(id);
    const { body } = await browser.call('GET', '/ai/enhance?status=failed');
    expect((body as { data: Shown[] }).data.map((job) => job.id)).toEqual([id]);
  });

  it('finds jobs by part of the name of their photo, ignoring case', async () => {
    await harness.rows(
      `UPDATE sources SET name = 'Summer 100%_(1).JPG' WHERE id = (SELECT source_id FROM jobs WHERE id = $1)`,
      [(await harness.newJob(account)).id],
    );
    const namesOf = async (name: string) => {
      const { body } = await browser.call('GET', `/ai/enhance?name=${encodeURIComponent(name)}`);
      return (body as { data: { sourceName: string }[] }).data.map(({ sourceName }) => sourceName);
    };
    expect(await namesOf('mer 100%_')).toEqual(['Summer 100%_(1).JPG']);
    expect(await namesOf('summer%(1)')).toEqual([]);
    for (const wrong of ['', 'a\0', 'x'.repeat(201)])
      expect((await browser.call('GET', `/ai/enhance?name=${encodeURIComponent(wrong)}`)).status).toBe(400);
  });

  it('lists canceled jobs separately from failed ones', async () => {
    const { id } = await harness.newJob(account);
    await browser.call('POST', `/ai/enhance/${id}/cancel`);
    const idsOf = async (canceled: boolean) => {
      const { body } = await browser.call('GET', `/ai/enhance?status=failed&canceled=${canceled}`);
      return (body as { data: Shown[] }).data.map((job) => job.id);
    };
    expect(await idsOf(true)).toEqual([id]);
    expect(await idsOf(false)).not.toContain(id);
    expect((await browser.call('GET', '/ai/enhance?canceled=yes')).status).toBe(400);
    const { status, body } = await harness.call('GET', '/api/ai/enhance?status=failed', { key: account.key });
    expect({ status, ids: (body as { data: Shown[] }).data.map((job) => job.id) }).toMatchObject({
      status: 200,
      ids: expect.arrayContaining([id]) as string[],
    });
    expect((await harness.call('GET', '/api/ai/enhance?canceled=true', { key: account.key })).status).toBe(
      400,
    );
  });

  it('gives a completed job a stable thumbnail URL, which returns 410 until the worker has stored it', async () => {
    const { id } = await harness.newJob(account);
    await harness.jobs.complete(id);
    const read = async () => (await browser.call('GET', `/ai/enhance/${id}`)).body as Shown;
    const { thumbnailUrl } = await read();
    expect(thumbnailUrl).toMatch(
      new RegExp(`^${PUBLIC_URL}/files/thumb_${id}\\.webp\\?exp=\\d+&sig=[0-9a-f]{64}$`),
    );
    expect((await read()).thumbnailUrl).toBe(thumbnailUrl);
    const path = thumbnailUrl!.slice(PUBLIC_URL.length);
    expect((await harness.call('GET', path)).status).toBe(410);
    await harness.app.get(ObjectStore).put(thumbnailKey(id), Buffer.from('small picture'));
    const { status, headers, body } = await harness.call('GET', path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'image/webp', 'content-length': '13' });
    expect((body as Buffer).toString()).toBe('small picture');
    expect((await harness.call('GET', path.replace(/sig=.{4}/, 'sig=0000'))).status).toBe(404);
    expect((await harness.call('GET', path.split('?')[0]!)).status).toBe(404);
    await browser.call('DELETE', `/ai/enhance/${id}`);
    expect((await harness.call('GET', path)).status).toBe(410);
  });

  it('lists no thumbnail of a photo that was erased with its result', async () => {
    const source = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: source.url, retention: 'deliver' });
    await harness.jobs.complete(id, Buffer.from('result pixels'));
    const read = async () => (await browser.call('GET', `/ai/enhance/${id}`)).body as Shown;
    expect((await read()).thumbnailUrl).toContain(`/files/thumb_${id}`);
    expect((await browser.call('GET', `/ai/enhance/${id}/result`)).status).toBe(200);
    await expect
      .poll(async () => (await browser.call('GET', `/ai/sources/${source.id}/thumbnail`)).status)
      .toBe(410);
    expect((await read()).thumbnailUrl).toBeNull();
    const { data } = (await browser.call('GET', '/ai/enhance?limit=1')).body as { data: Shown[] };
    expect(data.map((job) => [job.id, job.thumbnailUrl])).toEqual([[id, null]]);
  });

  it('names a downloaded result after its photo', async () => {
    const file = { bytes: await photo(32, 24, 'jpeg'), name: 'Zoë am Strand.jpg' };
    const source = (await browser.call('POST', '/ai/upload', { file })).body as SourceAnswer;
    const { id } = await harness.newJob(account, { sourceUrl: source.url });
    expect((await browser.call('GET', `/ai/enhance/${id}/result`)).status).toBe(404);
    await harness.jobs.complete(id, Buffer.from('result pixels'));
    expect((await browser.call('GET', `/ai/enhance/${id}`)).body).toMatchObject({ sourceName: file.name });
    const { status, headers, body } = await browser.call('GET', `/ai/enhance/${id}/result`);
    expect({ status, text: (body as Buffer).toString() }).toEqual({ status: 200, text: 'result pixels' });
    expect(headers['content-disposition']).toContain('attachment; filename="');
    expect(headers['content-disposition']).toContain("filename*=UTF-8''Zo%C3%AB%20am%20Strand-upscaled.png");

    await browser.call('DELETE', `/ai/sources/${source.id}`);
    const later = await browser.call('GET', `/ai/enhance/${id}/result`);
    expect(later.headers['content-disposition']).toBe('attachment; filename=photo-upscaled.png');
    await browser.call('DELETE', `/ai/enhance/${id}`);
    expect((await browser.call('GET', `/ai/enhance/${id}/result`)).status).toBe(410);
  });

  it('cancels and deletes jobs', async () => {
    const { id } = await harness.newJob(account);
    const canceled = await browser.call('POST', `/ai/enhance/${id}/cancel`);
    expect(canceled.body).toMatchObject({
      status: 'failed',
      error: { code: 'canceled' },
      thumbnailUrl: expect.stringMatching(
        /^\/dashboard\/api\/ai\/sources\/src_[0-9a-f]{32}\/thumbnail$/,
      ) as string,
    });
    expect((await browser.call('POST', `/ai/enhance/${id}/cancel`)).status).toBe(409);
    expect((await browser.call('DELETE', `/ai/enhance/${id}`)).status).toBe(204);
    expect((await browser.call('GET', `/ai/enhance/${id}`)).status).toBe(410);
  });

  it('does not show jobs of another account', async () => {
    const stranger = await harness.createAccount();
    const { id } = await harness.newJob(stranger);
    expect((await browser.call('GET', `/ai/enhance/${id}`)).status).toBe(404);
    expect((await browser.call('GET', `/ai/enhance/${id}/result`)).status).toBe(404);
    expect((await browser.call('POST', `/ai/enhance/${id}/run-again`)).status).toBe(404);
    expect((await browser.call('DELETE', `/ai/enhance/${id}`)).status).toBe(404);
  });
});
