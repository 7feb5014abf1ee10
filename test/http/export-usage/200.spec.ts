import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USAGE_PAGE } from '../../../src/quotas/export/usage-export.repository.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const TODAY = () => new Date().toISOString().slice(0, 10);
const HEADER = 'day,key_id,key_name,operation,enhancements';
const exported = (key: string, query = '') => harness.call('GET', `/api/usage/export${query}`, { key });

/** The lines after the header. Every line ends with CRLF, including the last one. */
function rowsOf(text: string): string[] {
  expect(text.startsWith(`${HEADER}\r\n`)).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  return text.split('\r\n').slice(1, -1);
}

/** Counts for earlier days, as the triggers would have written them. */
const counted = ({ id }: TestAccount, rows: readonly (readonly [string, string, string, number])[]) =>
  harness.rows(
    `INSERT INTO operation_days (account_id, day, key_id, operation, count)
     SELECT $1, (r->>0)::date, r->>1, r->>2, (r->>3)::int FROM jsonb_array_elements($2::jsonb) r`,
    [id, JSON.stringify(rows)],
  );

describe('GET /api/usage/export → 200', () => {
  it('counts each operation of a job by day and key, without refunds', async () => {
    const account = await harness.createAccount();
    const { url: sourceUrl } = await harness.newSource(account);
    const second = await harness.createKey(account);
    const done = await harness.newJob(account, { sourceUrl });
    await harness.jobs.complete(done.id);
    const operations = [{ operation: 'auto_enhance' }, { operation: 'upscale' }];
    await harness.createJob(account.key, { sourceUrl, operations });
    await harness.createJob(second.key, { sourceUrl, operation: 'upscale' });
    const failed = await harness.newJob(account, { sourceUrl, operation: 'auto_enhance' });
    await harness.jobs.fail(failed.id);
    await harness.newBatch(account, { sourceUrls: [sourceUrl, sourceUrl, sourceUrl] });
    const { status, text, headers } = await exported(account.key);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="usage-[\d-]{10}-[\d-]{10}\.csv"$/);
    expect(headers['cache-control']).toBe('private, no-store');
    const expected = [
      `${TODAY()},${account.keyId},Default,auto_enhance,1`,
      `${TODAY()},${account.keyId},Default,upscale,5`,
      `${TODAY()},${second.id},Test,upscale,1`,
    ];
    const names = rowsOf(text).map((row) => row.replace(/^([^,]*,[^,]*),[^,]*/, '$1'));
    expect(names.toSorted()).toEqual(
      expected.map((row) => row.replace(/^([^,]*,[^,]*),[^,]*/, '$1')).toSorted(),
    );
    expect(rowsOf(text)).toContain(expected[2]);
  });

  it('contains the requested days in order, with names that no spreadsheet executes', async () => {
    const account = await harness.createAccount();
    await harness.rows('UPDATE api_keys SET name = $2 WHERE id = $1', [
      account.keyId,
      '=HYPERLINK("https://evil.example","a")',
    ]);
    await counted(account, [
      ['2025-02-28', account.keyId, 'upscale', 2],
      ['2025-03-01', '', 'smooth_skin', 3],
      ['2025-03-01', account.keyId, 'bg_remove', 4],
      ['2025-03-01', account.keyId, 'upscale', 0],
      ['2025-03-02', 'key_deleted', 'upscale', 5],
      ['2025-03-03', account.keyId, 'upscale', 6],
    ]);
    const { text } = await exported(account.key, '?from=2025-03-01&to=2025-03-02');
    expect(rowsOf(text)).toEqual([
      '2025-03-01,,Dashboard,smooth_skin,3',
      `2025-03-01,${account.keyId},"'=HYPERLINK(""https://evil.example"",""a"")",bg_remove,4`,
      '2025-03-02,key_deleted,,upscale,5',
    ]);
  });

  it('sends any number of rows, page by page', async () => {
    const account = await harness.createAccount();
    const days = 2 * USAGE_PAGE + 1;
    await harness.rows(
      `INSERT INTO operation_days (account_id, day, key_id, operation, count)
       SELECT $1, date '2010-01-01' + n, '', 'upscale', n + 1 FROM generate_series(0, $2::int - 1) n`,
      [account.id, days],
    );
    const rows = rowsOf((await exported(account.key, '?from=2010-01-01')).text);
    expect(rows).toHaveLength(days);
    expect(rows[0]).toBe('2010-01-01,,Dashboard,upscale,1');
    expect(rows.at(-1)).toMatch(new RegExp(`,upscale,${days}$`));
    expect(new Set(rows).size).toBe(days);
    const exact = rowsOf((await exported(account.key, '?from=2010-01-01&to=2012-09-26')).text);
    expect(exact).toHaveLength(USAGE_PAGE);
  });

  it('contains only the header for an account without usage of its own, and for a test key', async () => {
    const [mine, other] = [await harness.createAccount(), await harness.createAccount()];
    await counted(other, [[TODAY(), '', 'upscale', 9]]);
    expect(rowsOf((await exported(mine.key)).text)).toEqual([]);
    const test = await harness.createKey(other, { livemode: false });
    expect(rowsOf((await exported(test.key)).text)).toEqual([]);
    expect(rowsOf((await exported(other.key)).text)).toEqual([`${TODAY()},,Dashboard,upscale,9`]);
  });

  it('is identical in the dashboard', async () => {
    const account = await harness.createAccount();
    await counted(account, [[TODAY(), '', 'upscale', 9]]);
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const { status, text } = await browser.call('GET', '/usage/export');
    expect(status).toBe(200);
    expect(text).toBe((await exported(account.key)).text);
  });
});
