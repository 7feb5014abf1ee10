import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const PRELOAD = pathToFileURL(join(import.meta.dirname, '../../support/inference/failing-device.mjs')).href;
/** Progress is stored every third of it. A lease that expires would count an attempt. */
const JOB_LEASE_MS = 1_500;
const ANNOUNCING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                      AND query LIKE '%INSERT INTO model_workers%'`;
/** Longer than a worker that takes jobs waits before it looks for them. */
const LOOK_MS = 2_500;
const BREAKING_COLOR = [7, 77, 177];

describe('a worker whose device thread dies', () => {
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    service = await FlowService.start({
      models: ['upscale'],
      roles: ['api', 'dispatcher'],
      env: { JOB_LEASE_MS: String(JOB_LEASE_MS) },
    });
    client = await service.client();
  });
  afterAll(() => service?.close());

  it('fails only the job that breaks its device repeatedly, and completes those that ran beside it', async () => {
    const faultFile = join(service.dataDir, 'color');
    await writeFile(faultFile, `color ${BREAKING_COLOR.join(' ')}`);
    const env = {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      FAULT_FILE: faultFile,
      WORKER_CONCURRENCY: '3',
      JOB_MAX_RETURNS: '2',
    };
    const first = await service.startRole('worker', env);
    const { url } = await client.upload(await busyFile(480));
    const image = await client.upload(await solidFile(64, 48, BREAKING_COLOR));
    const beside = await Promise.all([1, 2].map(() => client.create(url, BUSY_ORDER)));
    await Promise.all(beside.map(({ id }) => client.until(id, 'processing')));
    const breaking = await client.create(image.url, BUSY_ORDER);
    expect(await first.ended).toEqual({ code: 70, signal: null });
    expect(await service.database.job(breaking.id)).toMatchObject({ status: 'queued', machine_faults: 1 });

    const second = await service.startRole('worker', env);
    for (const { id } of beside) await client.completed(id);
    expect(await second.ended).toEqual({ code: 70, signal: null });
    expect((await client.until(breaking.id, 'failed')).error).toMatchObject({ code: 'service_unavailable' });
  });

  it('fails only the job that never ends on its device, and completes the one behind it', async () => {
    const faultFile = join(service.dataDir, 'hang');
    await writeFile(faultFile, `hang ${BREAKING_COLOR.join(' ')}`);
    const env = {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      FAULT_FILE: faultFile,
      INFERENCE_STREAMS: '1',
      INFERENCE_TIMEOUT_MS: '4000',
      WORKER_CONCURRENCY: '1',
      JOB_MAX_RETURNS: '1',
    };
    const first = await service.startRole('worker', env);
    const image = await client.upload(await solidFile(64, 48, BREAKING_COLOR));
    const { url } = await client.upload(await solidFile(64, 48, [177, 77, 7]));
    const hanging = await client.create(image.url, BUSY_ORDER);
    await client.until(hanging.id, 'processing');
    const behind = await client.create(url, BUSY_ORDER);
    // The thread cannot end, so the process kills itself.
    expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect((await client.until(hanging.id, 'failed')).error).toMatchObject({ code: 'service_unavailable' });

    const second = await service.startRole('worker');
    expect(await client.completed(behind.id)).toMatchObject({ attempts: 1, error: null });
    await second.terminate();
  });

  it('returns its jobs to the queue without counting an attempt, takes no others, and exits with code 70', async () => {
    const faultFile = join(service.dataDir, 'fault');
    const env = { NODE_OPTIONS: `--import=${PRELOAD}`, FAULT_FILE: faultFile, WORKER_CONCURRENCY: '2' };
    const worker = await service.startRole('worker', env);
    const { url } = await client.upload(await busyFile(480));
    const jobs = await Promise.all([1, 2].map(() => client.create(url, BUSY_ORDER)));
    const behind = await client.upload(await solidFile(64, 48, [177, 77, 7]));
    jobs.push(...(await Promise.all([1, 2].map(() => client.create(behind.url, BUSY_ORDER)))));
    await eventually('a job to be on the device', async () => {
      const seen = await Promise.all(jobs.map(async ({ id }) => (await client.job(id)).progress));
      return seen.some((progress) => progress > 0) ? { found: true } : { seen };
    });
    await writeFile(faultFile, 'thread');
    expect(await worker.ended).toEqual({ code: 70, signal: null });

    const rows = await Promise.all(jobs.map(({ id }) => service.database.job(id)));
    const ends = rows.map((row) => [row['status'], row['attempts'], row['error_code']].join(' '));
    expect(ends.filter((end) => end !== 'completed 1 ' && end !== 'queued 0 ')).toEqual([]);
    const returned = jobs.filter((_, index) => rows[index]!['machine_faults'] === 1);
    expect(returned).not.toEqual([]);
    expect(rows.filter(({ claims }) => claims === 0)).not.toEqual([]);

    // A worker that is still starting cannot drain, so it has not taken any.
    const death = await service.database.whileLocked('model_workers', async () => {
      const starting = service.startRole('worker', env).then(String, String);
      await eventually('the worker to announce itself', async () => {
        const seen = await service.database.rows(ANNOUNCING);
        return seen.length > 0 ? { found: true } : { seen };
      });
      await sleep(LOOK_MS);
      await writeFile(faultFile, 'thread');
      return starting;
    });
    expect(death).toContain('exit code 70');
    expect(await Promise.all(jobs.map(({ id }) => service.database.job(id)))).toMatchObject(
      rows.map(({ status, attempts, claims }) => ({ status, attempts, claims })),
    );

    await service.startRole('worker');
    for (const { id } of returned) {
      expect(await client.completed(id)).toMatchObject({ attempts: 1, error: null });
      expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    }
  });
});
