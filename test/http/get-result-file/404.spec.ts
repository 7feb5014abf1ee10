import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { newResult } from '../../support/app/results.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /files/job_… → 404', () => {
  it('for clients that may not read the file, as for a file that does not exist', async () => {
    const [account, stranger] = [await harness.createAccount(), await harness.createAccount()];
    const { resultUrl } = await newResult(harness, account);
    const [bare, query] = resultUrl.replace(PUBLIC_URL, '').split('?') as [string, string];
    for (const [path, options] of [
      [`/files/${newId('job')}.png`, { key: account.key }],
      [bare, {}],
      [bare, { key: stranger.key }],
      [`${bare}?${query.replace(/exp=\d+/, 'exp=9999999999')}`, {}],
      [`${bare.replace('.png', '.jpg')}?${query}`, {}],
    ] as const) {
      const { status } = await harness.call('GET', path, options);
      expect({ path, status }).toEqual({ path, status: 404 });
    }
  });

  it('for a job that has no result yet, or never will', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newJob(account);
    const read = () => harness.call('GET', `/files/${id}.png`, { key: account.key });
    expect((await read()).status).toBe(404);
    await harness.jobs.fail(id);
    expect((await read()).status).toBe(404);
  });
});
