import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('DELETE /api/ai/enhance/:id of a job with retention "deliver"', () => {
  const ENDS: [string, (id: string) => Promise<unknown>][] = [
    ['queued', async () => undefined],
    ['processing', (id) => harness.jobs.claim(id)],
    ['completed', (id) => harness.jobs.complete(id)],
    ['failed', (id) => harness.jobs.fail(id)],
    ['canceled', (id) => harness.call('POST', `/api/ai/enhance/${id}/cancel`, { key: account.key })],
  ];

  it.each(ENDS)('erases the source of a %s job, and frees its storage', async (_, end) => {
    const before = await harness.footprint();
    const source = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: source.url, retention: 'deliver' });
    await end(id);
    const { status } = await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    expect(status).toBe(204);
    const read = await harness.call('GET', `/api/ai/sources/${source.id}`, { key: account.key });
    expect(read.status).toBe(410);
    const { objects, storageBytes } = await harness.footprint();
    expect({ objects, storageBytes }).toEqual({
      objects: before.objects,
      storageBytes: before.storageBytes,
    });
  });

  it.each([
    ['keeps the source of another job, also when that has ended', {}, 200],
    ['leaves the source to the last of several such jobs', { retention: 'deliver' }, 410],
  ])('%s', async (_, other, expected) => {
    const source = await harness.newSource(account);
    const [first, last] = [
      await harness.newJob(account, { sourceUrl: source.url, retention: 'deliver' }),
      await harness.newJob(account, { sourceUrl: source.url, ...other }),
    ];
    const remove = ({ id }: { id: string }) =>
      harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    const read = async () =>
      (await harness.call('GET', `/api/ai/sources/${source.id}`, { key: account.key })).status;
    await remove(first);
    expect(await read()).toBe(200);
    await harness.jobs.complete(last.id);
    await remove(last);
    expect(await read()).toBe(expected);
  });
});
