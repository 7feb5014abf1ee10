import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { thumbnailKey } from '../../../src/uploads/thumbnails/thumbnail.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

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
  it('lists what keys and the dashboard created, with the key, page by page', async () => {
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

  it('gives a completed job a thumbnail that stays where it is, and none until the worker has made it', async () => {
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

  it('cancels and deletes', async () => {
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

  it('shows nobody the jobs of another account', async () => {
    const stranger = await harness.createAccount();
    const { id } = await harness.newJob(stranger);
    expect((await browser.call('GET', `/ai/enhance/${id}`)).status).toBe(404);
    expect((await browser.call('POST', `/ai/enhance/${id}/run-again`)).status).toBe(404);
    expect((await browser.call('DELETE', `/ai/enhance/${id}`)).status).toBe(404);
  });
});
