import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

async function signedInto(account: TestAccount): Promise<DashboardClient> {
  const browser = new DashboardClient(harness);
  await browser.signInto(account);
  return browser;
}

const create = (by: DashboardClient, jobId: string) =>
  by.call('POST', '/ai/share-links', { json: { jobId, expiresIn: 3_600 } });

/** Adds active links to the results of jobs, as many to each. */
const addLinks = ({ id }: TestAccount, jobIds: readonly string[], links: number) =>
  harness.rows(
    `INSERT INTO share_links (id, account_id, job_id, token_hash, shows_original, created_at, expires_at)
     SELECT 'shr_' || md5(job || n), $1, job, sha256((job || n)::bytea), false, now(), now() + interval '1 hour'
       FROM unnest($2::text[]) job, generate_series(1, $3) n`,
    [id, jobIds, links],
  );

describe('the limit of share links', () => {
  it('is never exceeded, even by ten concurrent requests', async () => {
    const full = await harness.createAccount();
    const person = await signedInto(full);
    const { id: jobId } = await newResult(harness, full);
    await addLinks(full, [jobId], 95);
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(person, jobId)));
    const withStatus = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([withStatus(201), withStatus(409)]).toEqual([5, 5]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'share_link_limit_reached',
    });
    await harness.rows(`UPDATE share_links SET expires_at = now() WHERE account_id = $1`, [full.id]);
    expect((await create(person, jobId)).status).toBe(201);
  });

  it('does not count links whose result or job was deleted, and the list omits them', async () => {
    const account = await harness.createAccount();
    const person = await signedInto(account);
    const results = [1, 2, 3].map(() => newResult(harness, account));
    const [kept, erased, deleted] = (await Promise.all(results)).map(({ id }) => id);
    await addLinks(account, [erased!, deleted!], 50);
    expect((await create(person, kept!)).status).toBe(409);
    await harness.rows('UPDATE jobs SET result_erased_at = now() WHERE id = $1', [erased]);
    await harness.call('DELETE', `/api/ai/enhance/${deleted}`, { key: account.key });
    expect((await create(person, kept!)).status).toBe(201);
    const { body } = await person.call('GET', '/ai/share-links');
    expect((body as { data: { jobId: string }[] }).data.map(({ jobId }) => jobId)).toEqual([kept]);
  });
});
