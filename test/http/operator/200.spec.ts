import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import type { LoadHistoryDto } from '../../../src/operator/overview/history.dto.js';
import type { OverviewDto } from '../../../src/operator/overview/overview.dto.js';
import { Operators } from '../../../src/operator/operators.js';
import { SamplesRepository } from '../../../src/operator/load/samples.repository.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let customer: TestAccount;
let browser: DashboardClient;
/** Needs its own database: it reads figures of the whole installation. */
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.createAccount();
  browser = new DashboardClient(harness);
  const { id } = await browser.signInto(await harness.createAccount());
  await new Operators(harness.app.get(Database)).set(id, true);
});
afterAll(() => harness.close());

async function read<Answer>(path: string): Promise<Answer> {
  const answer = await harness.call('GET', `/operator/api/${path}`, { headers: { cookie: browser.cookie! } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Answer;
}

describe('GET /operator/api/overview', () => {
  it('counts finished and waiting jobs by operation, and does not count canceled jobs as failed', async () => {
    expect(await read<OverviewDto>('overview')).toMatchObject({
      jobs: { perMinute: 0, ended: 0, failed: 0, p50Ms: null, p99Ms: null },
      operations: [],
      workers: [],
      webhooks: { events: 0, pending: 0, due: 0 },
    });
    const done = await harness.newJob(customer);
    await harness.jobs.complete(done.id);
    const waiting = await harness.newJob(customer);
    const [failed, canceled] = [await harness.newJob(customer), await harness.newJob(customer)];
    await harness.rows(
      `UPDATE jobs SET status = 'failed', completed_at = now(), error_code = CASE id WHEN $1 THEN 'internal_error' ELSE 'canceled' END
        WHERE id = ANY ($2)`,
      [failed.id, [failed.id, canceled.id]],
    );
    const { key, id: keyId } = await harness.createKey(customer, { livemode: false });
    const test = await harness.newJob({ id: testAccountOf(customer.id), key, keyId });
    await harness.rows(`UPDATE jobs SET created_at = now() - interval '1 day' WHERE id = $1`, [test.id]);
    const now = await read<OverviewDto>('overview');
    expect(now.jobs).toMatchObject({ ended: 3, failed: 1, perMinute: 0.6 });
    expect(now.jobs.p50Ms).toBeGreaterThan(0);
    expect(now.operations).toHaveLength(1);
    expect(now.operations[0]).toMatchObject({ queued: 1, ended: 3, failed: 1 });
    expect(now.operations[0]!.oldestWaitSeconds).toBeLessThan(3_600);
    expect(now.database.sizeBytes).toBeGreaterThan(1e6);
    expect(now.disk.freeBytes).toBeGreaterThan(0);
    expect(JSON.stringify(now)).not.toContain(waiting.id);
  });

  it('lists live workers with their memory and GPUs', async () => {
    await harness.rows(
      `INSERT INTO model_workers (id, host, pid, device, operations, versions, refusals, state, load, seen_at)
       SELECT 'wrk_' || n, 'box', n, 'cuda', $1, '[]', '[]', 'serving', $2, now() - n * interval '40 seconds'
         FROM generate_series(1, 2) n`,
      [
        JSON.stringify([{ operation: 'upscale', model: { name: 'm', version: 2, sha256: 'ab' } }]),
        JSON.stringify({
          memoryBytes: 1e9,
          gpus: [{ gpu: '0', name: 'NVIDIA H100', memoryUsedBytes: 5e9, utilization: 0.5 }],
        }),
      ],
    );
    const { workers } = await read<OverviewDto>('overview');
    expect(workers).toHaveLength(1);
    expect(workers[0]).toMatchObject({
      id: 'wrk_1',
      operations: ['upscale@2'],
      memoryBytes: 1e9,
      gpus: [{ gpu: '0', memoryUsedBytes: 5e9, memoryTotalBytes: null, utilization: 0.5 }],
    });
  });
});

describe('GET /operator/api/history', () => {
  it('has a point for the last minute, stored once by any number of processes', async () => {
    const samples = harness.app.get(SamplesRepository);
    // The jobs of the previous test, as if they had ended in the last minute.
    await harness.rows(
      `UPDATE jobs SET created_at = date_trunc('minute', now()) - interval '31 seconds',
                       completed_at = date_trunc('minute', now()) - interval '30 seconds'
        WHERE completed_at IS NOT NULL`,
    );
    await Promise.all([1, 2, 3].map(() => samples.record()));
    const { points, resolution } = await read<LoadHistoryDto>('history');
    expect(resolution).toBe(60);
    expect(points.at(0)).toMatchObject({ jobsPerMinute: 3, failed: 1, queued: 1 });
    expect(points.at(0)!.p50Ms).toBeGreaterThanOrEqual(1_000);
    expect(points.at(0)!.p50Ms).toBeLessThan(1_190);
    expect((await read<LoadHistoryDto>('history?span=24h')).points.length).toBeLessThanOrEqual(1);
  });

  it('aggregates complete periods from shorter ones, and deletes old samples', async () => {
    await harness.rows('DELETE FROM load_samples');
    // An hour ago, so that the minute that just ended still has to be recorded.
    const [end] = await harness.rows<{ at: Date }>(
      `SELECT date_bin('1 hour', now(), 'epoch') - interval '1 hour' AS at`,
    );
    await harness.rows(
      `INSERT INTO load_samples (resolution, at, jobs, failed, latencies, queued, oldest_wait_seconds, workers,
                                 gpu_utilization, gpu_memory_bytes, deliveries_due)
       SELECT 60, $1::timestamptz - n * interval '1 minute', 10, 1,
              array_fill(0, ARRAY[20]) || array_fill(1, ARRAY[10]) || array_fill(0, ARRAY[50]), n, n, 2, 0.25, 100, 3
         FROM generate_series(1, 120) n
       UNION ALL
       SELECT 60, now() - interval '3 days', 1, 0, '{}', 0, 0, 0, NULL, NULL, 0`,
      [end!.at],
    );
    await harness.app.get(SamplesRepository).record();
    const day = await read<LoadHistoryDto>('history?span=24h');
    expect(day.points.length).toBeGreaterThanOrEqual(12);
    expect(day.points[0]).toMatchObject({ jobsPerMinute: 10, failed: 10, queued: 120, gpuUtilization: 0.25 });
    expect(day.points[0]!.p50Ms).toBe(10 * 2 ** (24 / 4));
    const week = await read<LoadHistoryDto>('history?span=7d');
    const hours = week.points.filter(({ at }) => Date.parse(at) < end!.at.getTime());
    expect(hours).toHaveLength(2);
    expect(hours[1]).toMatchObject({ jobsPerMinute: 10, failed: 60, queued: 60, deliveriesDue: 3 });
    expect(await harness.rows(`SELECT 1 FROM load_samples WHERE at < now() - interval '2 days'`)).toEqual([]);
  });
});
