import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import { Database } from '../../../src/infra/database/database.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobLeaseRepository } from '../../../src/jobs/queue/job-lease.repository.js';
import { OverdueJobs } from '../../../src/jobs/queue/overdue-jobs.js';
import { OverdueJobsRepository } from '../../../src/jobs/queue/overdue-jobs.repository.js';
import { type Harness, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
});
afterAll(() => harness.close());

const create = (json: Record<string, unknown>, headers: Record<string, string> = {}) =>
  harness.createJob(account.key, { sourceUrl, operation: 'upscale', ...json }, headers);
const read = async (id: string) =>
  (await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key })).body as JobDto;
const used = async () =>
  ((await harness.call('GET', '/api/usage', { key: account.key })).body as { enhancements: { used: number } })
    .enhancements.used;
const overdue = (): OverdueJobs =>
  new OverdueJobs(new OverdueJobsRepository(harness.app.get(Database)), harness.app.get(JobCompletion));
const timeIsOver = (id: string) =>
  harness.rows("UPDATE jobs SET cancel_at = now() - interval '1 millisecond' WHERE id = $1", [id]);

describe('POST /api/ai/enhance with cancelAfter', () => {
  it.each([
    [{ cancelAfter: '90s' }, {}, 90],
    [{}, { 'cancel-after': '1m' }, 60],
    [{}, { 'cancel-after': '5' }, 5],
  ])('cancels %j %j after %i s', async (json, headers, seconds) => {
    const { status, body } = await create(json, headers);
    expect(status).toBe(201);
    const { createdAt, cancelAt } = body as JobDto;
    expect(Date.parse(cancelAt!) - Date.parse(createdAt)).toBe(seconds * 1_000);
  });

  it.each([
    [{ cancelAfter: '1s' }, {}, 'cancelAfter'],
    [{ cancelAfter: 'soon' }, {}, 'cancelAfter'],
    [{ cancelAfter: 60 }, {}, 'cancelAfter'],
    [{}, { 'cancel-after': '8d' }, 'Cancel-After'],
    [{ cancelAfter: '60s' }, { 'cancel-after': '60s' }, 'cancelAfter'],
  ])('rejects %j %j with 400 at %s', async (json, headers, field) => {
    const { status, body } = await create(json, headers);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field }] });
  });

  it('cancels a job that waits too long, and refunds it once', async () => {
    const before = await used();
    const { id } = (await create({ cancelAfter: '5s' })).body as JobDto;
    await overdue().cancel();
    expect(await read(id)).toMatchObject({ status: 'queued' });
    expect(await used()).toBe(before + 1);
    await timeIsOver(id);
    const lease = { jobId: id, token: 'late' };
    expect(await harness.app.get(JobLeaseRepository).claim(lease, 60_000)).toBeUndefined();
    await Promise.all([overdue().cancel(), overdue().cancel()]);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'canceled', message: expect.stringContaining('cancelAfter') as unknown },
    });
    expect(await used()).toBe(before);
  });

  it('counts the time on the clock of the database when that of the api is behind', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 180_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { id } = (await create({ cancelAfter: '60s' })).body as JobDto;
    const items = { sourceUrls: [sourceUrl], operation: 'upscale', cancelAfter: '60s' };
    const { body: batch } = await harness.createBatch(account.key, items);
    const [item] = await harness.batchJobs(batch['id'] as string);
    await overdue().cancel();
    for (const job of [id, item!]) {
      await harness.jobs.complete(job);
      expect(await read(job)).toMatchObject({ status: 'completed' });
    }
  });

  it('shows times of the database and names the requested time when the clock of the api is behind', async () => {
    await harness.listen(account);
    const startedMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startedMs - 600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { body: created } = await create({ cancelAfter: '60s' });
    const items = { sourceUrls: [sourceUrl], operation: 'upscale', cancelAfter: '60s' };
    const { body: batch } = await harness.createBatch(account.key, items);
    vi.useRealTimers();
    const { id, createdAt, cancelAt } = created as JobDto;
    const [item] = await harness.batchJobs(batch['id'] as string);
    expect(Date.parse(createdAt)).toBeGreaterThan(startedMs - 60_000);
    expect(Date.parse(batch['createdAt'] as string)).toBeGreaterThan(startedMs - 60_000);
    expect(await read(id)).toMatchObject({ createdAt, cancelAt });
    const [event] = await harness.rows<{ data: { job: JobDto } }>(
      "SELECT data FROM events WHERE type = 'enhancement.queued' AND data -> 'job' ->> 'id' = $1",
      [id],
    );
    expect(event!.data.job).toMatchObject({ id, createdAt, cancelAt, status: 'queued' });
    for (const job of [id, item!]) {
      await harness.rows(
        "UPDATE jobs SET created_at = created_at - interval '1 hour', cancel_at = cancel_at - interval '1 hour' WHERE id = $1",
        [job],
      );
      await overdue().cancel();
      const message = expect.stringContaining('within 60 seconds of its creation') as unknown;
      expect(await read(job)).toMatchObject({ error: { code: 'canceled', message } });
    }
  });

  it('cancels a running job, and rejects its late result', async () => {
    const { id } = (await create({ cancelAfter: '60s' })).body as JobDto;
    const lease = await harness.jobs.claim(id);
    await timeIsOver(id);
    expect(await harness.jobs.completeLease(lease, Buffer.from('late'))).toBe(false);
    await overdue().cancel();
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
  });

  it('does not cancel a job that completed in time', async () => {
    const { id } = (await create({ cancelAfter: '60s' })).body as JobDto;
    await harness.jobs.complete(id);
    await timeIsOver(id);
    await overdue().cancel();
    expect(await read(id)).toMatchObject({ status: 'completed', error: null });
  });
});

describe('POST /api/ai/enhance with expiresIn', () => {
  it('keeps the result for that long, but never beyond the retention period', async () => {
    const { id } = (await create({ expiresIn: 120 })).body as JobDto;
    await harness.jobs.complete(id, Buffer.from('pixels'), 3_600);
    const { completedAt, result } = await read(id);
    expect(Date.parse(result!.expiresAt) - Date.parse(completedAt!)).toBe(120_000);
    const longer = (await create({ expiresIn: 7_200 })).body as JobDto;
    await harness.jobs.complete(longer.id, Buffer.from('pixels'), 3_600);
    const kept = await read(longer.id);
    expect(Date.parse(kept.result!.expiresAt) - Date.parse(kept.completedAt!)).toBe(3_600_000);
  });

  it.each([0, -1, 1.5, '60', 30 * 86_400 + 1])('rejects %j with 400', async (expiresIn) => {
    const { status, body } = await create({ expiresIn });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'expiresIn' }] });
  });

  it('refuses an unknown retention', async () => {
    const { status, body } = await create({ retention: 'forever' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'retention' }] });
  });
});
