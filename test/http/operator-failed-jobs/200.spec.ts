import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailedJobListDto, FailureCountsDto } from '../../../src/operator/failed-jobs/failed-job.dto.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let operator: OperatorClient;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  operator = await OperatorClient.start(harness);
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const list = (query: string): Promise<FailedJobListDto> =>
  operator.get(`/failed-jobs?account=${account.id}&${query}`);

async function fail(id: string, code = 'processing_failed', message: string | null = null): Promise<void> {
  await harness.rows(
    `UPDATE jobs SET status = 'failed', error_code = $2, error_message = $3, completed_at = now() WHERE id = $1`,
    [id, code, message],
  );
}

describe('GET /operator/api/failed-jobs', () => {
  it('lists failed jobs with their reason, by code, operation, account, and time, page by page', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const made: { id: string }[] = [];
    for (const operation of ['upscale', 'upscale', 'auto_enhance', 'upscale', 'upscale'])
      made.push(await harness.newJob(account, { sourceUrl, operation }));
    const [first, second, third, canceled, queued] = made.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
      string,
    ];
    await fail(first);
    await fail(second, 'worker_lost', 'Three workers stopped.');
    await fail(third);
    await fail(canceled, 'canceled');
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids('code=worker_lost')).toEqual([second]);
    expect(await ids('operation=auto_enhance')).toEqual([third]);
    expect(await ids('operation=auto_enhance&code=worker_lost')).toEqual([]);
    expect(await ids(`since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect(await ids(`since=${new Date(Date.now() - 3_600_000).toISOString()}`)).toHaveLength(3);
    const page = await list('limit=2');
    expect(page).toMatchObject({ hasMore: true });
    expect(await ids(`limit=2&cursor=${page.nextCursor}`)).toEqual([first]);
    const { email } = await operator.get<{ email: string }>(`/accounts/${account.id}`);
    const byEmail = await operator.get<FailedJobListDto>(
      `/failed-jobs?account=${encodeURIComponent(email.toUpperCase())}`,
    );
    expect(byEmail.data).toHaveLength(3);
    expect((await operator.get<FailedJobListDto>('/failed-jobs?account=nobody@example.org')).data).toEqual(
      [],
    );
    expect(page.data[1]).toMatchObject({
      accountId: account.id,
      email,
      operation: 'upscale',
      code: 'worker_lost',
      message: 'Three workers stopped.',
      rerun: 'possible',
      rerunAs: null,
    });
    expect(page.data[0]!.message).not.toBe('');
    expect(JSON.stringify(page)).not.toMatch(/photo\.jpg|sourceUrl|\/files\//);
    expect(await operator.get<FailureCountsDto>(`/failed-jobs/counts?account=${account.id}`)).toEqual({
      data: [
        { code: 'processing_failed', jobs: 2 },
        { code: 'worker_lost', jobs: 1 },
      ],
      isCapped: false,
    });
    expect(queued).not.toBe(canceled);
  });

  it('leaves out jobs in test mode, which fail on request', async () => {
    const { key, id: keyId } = await harness.createKey(account, { livemode: false });
    const { id } = await harness.newJob({ id: account.id, key, keyId });
    await fail(id);
    const { data } = await operator.get<FailedJobListDto>('/failed-jobs?limit=100');
    expect(data.map((job) => job.id)).not.toContain(id);
    const answer = await operator.call('POST', `/failed-jobs/${id}/run-again`);
    expect(answer.status).toBe(404);
  });

  it.each(['limit=0', 'code=%00', 'operation=a%20b', 'since=yesterday'])('refuses %s', async (query) => {
    const { status, body } = await operator.call('GET', `/failed-jobs?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: query.split('=')[0] }] });
  });
});
