import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FailedJobListDto, RerunDto } from '../../../src/operator/failed-jobs/failed-job.dto.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { adminAnswer } from '../../support/roles/admin-command.js';

let harness: Harness;
let operator: OperatorClient;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  operator = await OperatorClient.start(harness);
});
beforeEach(async () => {
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** A job that failed in a worker, so that its enhancement was refunded. */
async function failedJob(): Promise<{ id: string; sourceId: string }> {
  const source = await harness.newSource(account);
  const { id } = await harness.newJob(account, {
    sourceUrl: source.url,
    operation: 'upscale',
    level: 'low',
    metadata: { orderId: '4711' },
    expiresIn: 600,
    retention: 'deliver',
  });
  await harness.jobs.fail(id);
  return { id, sourceId: source.id };
}

const run = (id: string) => operator.call('POST', `/failed-jobs/${id}/run-again`);
const used = async (): Promise<number> =>
  (await operator.get<{ enhancementsUsed: number }>(`/accounts/${account.id}`)).enhancementsUsed;
const jobs = () =>
  harness.rows<{ id: string }>(`SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued'`, [
    account.id,
  ]);

describe('POST /operator/api/failed-jobs/{id}/run-again', () => {
  it('runs the same request once, even when it is requested repeatedly, and charges it once', async () => {
    const { id } = await failedJob();
    expect(await used()).toBe(0);
    const answers = await Promise.all(Array.from({ length: 10 }, () => run(id)));
    const bodies = answers.map(({ status, body, text }) => {
      expect(status, text).toBe(201);
      return body as RerunDto;
    });
    expect(bodies.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(bodies.map(({ jobId }) => jobId)).size).toBe(1);
    const [{ jobId }] = bodies as [RerunDto];
    expect(await jobs()).toEqual([{ id: jobId }]);
    expect(await used()).toBe(1);
    const again = await harness.call('GET', `/api/ai/enhance/${jobId}`, { key: account.key });
    expect(again.body).toMatchObject({
      operation: 'upscale',
      level: 'low',
      metadata: { orderId: '4711' },
      retention: 'deliver',
    });
    expect(await harness.rows('SELECT expires_in AS "expiresIn" FROM jobs WHERE id = $1', [jobId])).toEqual([
      { expiresIn: 600 },
    ]);
    const { data } = await operator.get<FailedJobListDto>(`/failed-jobs?account=${account.id}`);
    expect(data).toMatchObject([{ id, rerun: 'done', rerunAs: jobId }]);
    expect(await operator.audited(account.id)).toEqual([
      { action: 'job.rerun', details: { newJobId: jobId } },
    ]);
    expect((await run(id)).body).toEqual({ jobId, isNew: false });
  });

  it('does the same from the command line', async () => {
    const { id } = await failedJob();
    const admin = () => adminAnswer(harness.databaseUrl, 'job', 'run-again', id);
    const first = (await admin()) as RerunDto;
    expect(await jobs()).toEqual([{ id: first.jobId }]);
    expect(await used()).toBe(1);
    expect(first.isNew).toBe(true);
    expect(await admin()).toEqual({ jobId: first.jobId, isNew: false });
    expect((await run(id)).body).toEqual({ jobId: first.jobId, isNew: false });
    const events = await harness.rows(
      `SELECT target_id AS "targetId", details FROM audit_events WHERE account_id = $1 AND action = 'job.rerun'`,
      [account.id],
    );
    expect(events).toEqual([{ targetId: id, details: { newJobId: first.jobId } }]);
    await expect(adminAnswer(harness.databaseUrl, 'job', 'run-again', 'job_1')).rejects.toThrow(
      'There is no failed job "job_1".',
    );
  });

  it('explains why it cannot run when the photo was deleted', async () => {
    const { id, sourceId } = await failedJob();
    const deleted = await harness.call('DELETE', `/api/ai/sources/${sourceId}`, { key: account.key });
    expect(deleted.status).toBe(204);
    const { status, body } = await run(id);
    expect(status).toBe(410);
    expect(body).toMatchObject({
      code: 'gone',
      detail: 'The photo of this job was deleted, so it cannot be run again.',
    });
    const { data } = await operator.get<FailedJobListDto>(`/failed-jobs?account=${account.id}`);
    expect(data).toMatchObject([{ rerun: 'source_deleted' }]);
  });

  it('explains why it cannot run while the account is suspended or out of quota', async () => {
    const { id } = await failedJob();
    await operator.expect(200, 'POST', `/accounts/${account.id}/suspend`, { reason: 'Abuse' });
    expect((await run(id)).body).toMatchObject({ status: 403, code: 'account_suspended' });
    await operator.expect(200, 'POST', `/accounts/${account.id}/resume`);
    await operator.expect(200, 'PUT', `/accounts/${account.id}/plan`, {
      plan: 'free',
      limits: { enhancements: 0 },
    });
    expect((await run(id)).body).toMatchObject({ status: 403, code: 'quota_exceeded' });
    expect(await jobs()).toEqual([]);
    await operator.expect(200, 'PUT', `/accounts/${account.id}/plan`, { plan: 'free' });
    expect((await run(id)).body).toMatchObject({ isNew: true });
  });

  describe('with an item of a batch', () => {
    let batch: string;
    let items: string[];
    const retry = () => harness.call('POST', `/api/ai/batches/${batch}/retry`, { key: account.key });
    const counts = async () =>
      (await harness.call('GET', `/api/ai/batches/${batch}`, { key: account.key })).body['counts'];

    beforeEach(async () => {
      const { url } = await harness.newSource(account);
      batch = (await harness.newBatch(account, { sourceUrls: [url, url] })).id;
      items = await harness.batchJobs(batch);
      for (const id of items) await harness.jobs.fail(id);
    });

    it('retries that item in its batch, so that its owner does not retry it, too', async () => {
      const first = (await run(items[0]!)).body as RerunDto;
      expect(first.isNew).toBe(true);
      expect(await counts()).toMatchObject({ total: 2, queued: 1, failed: 1 });
      expect((await run(items[0]!)).body).toEqual({ jobId: first.jobId, isNew: false });
      expect(await retry()).toMatchObject({ status: 200, body: { counts: { queued: 2, failed: 0 } } });
      expect(await jobs()).toHaveLength(2);
      expect(await used()).toBe(2);
      expect((await retry()).body).toMatchObject({ status: 409, code: 'nothing_to_retry' });
      for (const { id } of await jobs()) await harness.jobs.complete(id);
      expect(await counts()).toMatchObject({ total: 2, completed: 2, failed: 0 });
      const done = await harness.call('GET', `/api/ai/enhance/${first.jobId}`, { key: account.key });
      expect(done.body).toMatchObject({ batchId: batch, batchIndex: 0, status: 'completed' });
      expect(await operator.audited(account.id)).toEqual([
        { action: 'job.rerun', details: { newJobId: first.jobId } },
      ]);
    });

    it('runs nothing after its owner has retried it', async () => {
      expect((await retry()).status).toBe(200);
      const { data } = await operator.get<FailedJobListDto>(`/failed-jobs?account=${account.id}`);
      expect(data.map(({ rerun }) => rerun)).toEqual(['done', 'done']);
      for (const id of items) {
        const { rerunAs } = data.find((job) => job.id === id)!;
        expect((await run(id)).body).toEqual({ jobId: rerunAs, isNew: false });
      }
      expect(await jobs()).toHaveLength(2);
      expect(await used()).toBe(2);
    });

    it('runs it once when operators and its owner ask at the same time', async () => {
      const [retried, ...answers] = await Promise.all([retry(), ...items.map(run), ...items.map(run)]);
      expect([200, 409]).toContain(retried.status);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const newIds = (await jobs()).map(({ id }) => id);
      expect(newIds).toHaveLength(2);
      expect(new Set(answers.map(({ body }) => body['jobId']))).toEqual(new Set(newIds));
      expect(await used()).toBe(2);
      expect(await counts()).toMatchObject({ total: 2, queued: 2, failed: 0 });
    });
  });

  it('finds only failed jobs', async () => {
    const queued = await harness.newJob(account);
    for (const id of [queued.id, 'job_1', "job_'"]) expect((await run(id)).status).toBe(404);
    const canceled = await harness.call('POST', `/api/ai/enhance/${queued.id}/cancel`, { key: account.key });
    expect(canceled.status).toBe(200);
    expect((await run(queued.id)).status).toBe(404);
  });
});
