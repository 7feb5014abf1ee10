import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';
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

const pathOf = (ids: readonly string[]) => `/ai/results.zip?ids=${ids.join(',')}`;

describe('GET /dashboard/api/ai/results.zip', () => {
  it('contains the selected results that are stored, each under a unique name', async () => {
    const [one, two] = [await newResult(harness, account), await newResult(harness, account)];
    const queued = await harness.newJob(account);
    const answer = await browser.call('GET', pathOf([two.id, one.id, one.id, queued.id]));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="results.zip"',
      'accept-ranges': 'bytes',
    });
    // Each name appears before its file and again in the central directory.
    const names = [...answer.text.matchAll(/[\w-]+-upscaled(?:-\d)?\.\w+/g)].map(([name]) => name);
    expect(names.map((name) => name.includes('-2.'))).toEqual([false, true, false, true]);
  });

  it('contains no name that Windows takes for a device', async () => {
    const file = { bytes: await photo(48, 32, 'jpeg'), name: 'CON.final.jpg' };
    const source = await harness.call('POST', '/api/ai/upload', { key: account.key, file });
    const { url } = source.body as { url: string };
    const { id } = await harness.newJob(account, { sourceUrl: url });
    await harness.jobs.complete(id, Buffer.from('result pixels'), 3_600);
    const { text } = await browser.call('GET', pathOf([id]));
    const names = [...text.matchAll(/[\w.]*CON\.final-upscaled\.\w{3}/g)].map(([name]) => name.slice(0, 5));
    expect(names).toEqual(['_CON.', '_CON.']);
  });

  it('refuses invalid IDs, and too many of them', async () => {
    const { id } = await harness.newJob(account);
    const many = Array.from({ length: 101 }, () => id);
    for (const ids of [[], ['job_1'], ["job_' OR 1=1"], many]) {
      const { status, body } = await browser.call('GET', pathOf(ids));
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'ids' }] });
    }
  });

  it('does not find results of other accounts, deleted results, or jobs without a result', async () => {
    const other = await newResult(harness, await harness.createAccount());
    const deleted = await newResult(harness, account);
    await browser.call('DELETE', `/ai/enhance/${deleted.id}`);
    const queued = await harness.newJob(account);
    const answer = await browser.call('GET', pathOf([other.id, deleted.id, queued.id]));
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ detail: 'None of these results is stored.' });
  });
});
