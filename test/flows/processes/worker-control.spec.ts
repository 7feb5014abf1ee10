import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerDto, WorkerLogDto } from '../../../src/operator/workers/worker.dto.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import type { FlowRole } from '../../support/roles/flow-role.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const TOKEN = 'a-token-that-nobody-may-see';

describe('two workers on one host, controlled by an operator', () => {
  let service: FlowService;
  let client: FlowClient;
  let roles: readonly [FlowRole, FlowRole];

  beforeAll(async () => {
    service = await FlowService.start({ models: ['auto_enhance', 'upscale'], env: { METRICS_TOKEN: TOKEN } });
    roles = [service.role('worker'), await service.startRole('worker')];
    client = await service.client();
  });
  afterAll(() => service?.close());

  const admin = async <T>(...words: readonly string[]): Promise<T> =>
    (await adminAnswer(service.databaseUrl, 'worker', ...words)) as T;
  const list = () => admin<readonly WorkerDto[]>('list');
  const byPid = async (pid: number): Promise<WorkerDto> =>
    (await list()).find((worker) => worker.pid === pid)!;
  const events = async (): Promise<string[]> =>
    (
      await service.database.rows<{ action: string }>(
        `SELECT action FROM audit_events WHERE action LIKE 'worker.%' ORDER BY audit_events.id`,
      )
    ).map(({ action }) => action);

  const becomes = (pid: number, state: WorkerDto['state']): Promise<WorkerDto> =>
    eventually(`the worker to be ${state}`, async () => {
      const worker = await byPid(pid);
      return worker.state === state ? { found: worker } : { seen: worker };
    });

  const smallJob = async (): Promise<string> => {
    const { url } = await client.upload(await solidFile(60, 40, [90, 120, 60]));
    return (await client.create(url, { operation: 'auto_enhance' })).id;
  };

  it('are listed with what they serve and run, but without secrets', async () => {
    const workers = await Promise.all(roles.map(({ pid }) => becomes(pid, 'serving')));
    expect(new Set(workers.map(({ id }) => id)).size).toBe(2);
    for (const worker of workers) {
      expect(worker).toMatchObject({
        device: 'cpu',
        precision: 'float32',
        wanted: 'serve',
        supervised: true,
      });
      expect(worker.operations.map(({ operation }) => operation)).toEqual(['auto_enhance', 'upscale']);
      const token = worker.settings.find(({ name }) => name === 'METRICS_TOKEN');
      expect(token).toMatchObject({ value: null, source: 'environment', isSecret: true });
    }
    expect(JSON.stringify(workers)).not.toContain(TOKEN);
    await eventually('a heartbeat', async () => {
      const { jobs, concurrency, memoryBytes } = await byPid(roles[0].pid);
      const isReported = jobs === 0 && concurrency !== null && memoryBytes !== null;
      return isReported ? { found: true } : { seen: { jobs, concurrency, memoryBytes } };
    });
  });

  it('return the last lines of their logs', async () => {
    const { id } = await byPid(roles[1].pid);
    const { lines, current } = await admin<WorkerLogDto>('log', id, '--lines', '50');
    expect(current).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(50);
    const ready = lines.map((line) => JSON.parse(line) as { pid: number; msg: string });
    expect(ready).toContainEqual(expect.objectContaining({ pid: roles[1].pid, msg: 'ready' }));
  });

  it('finish their current jobs when drained, take no new ones, and resume', async () => {
    const { url } = await client.upload(await busyFile());
    const busy = await client.create(url, BUSY_ORDER);
    await client.until(busy.id, 'processing');
    const ids = await Promise.all(roles.map(async ({ pid }) => (await byPid(pid)).id));
    await Promise.all(ids.flatMap((id) => [id, id, id]).map((id) => admin('drain', id)));
    await Promise.all(roles.map(({ pid }) => becomes(pid, 'drained')));
    expect(await client.completed(busy.id)).toMatchObject({ attempts: 1 });
    expect(await events()).toEqual(['worker.drained', 'worker.drained']);
    const waiting = await smallJob();
    // Both workers would have polled for jobs by then.
    await sleep(5_000);
    expect((await client.request('GET', `/api/ai/enhance/${waiting}`)).json).toMatchObject({
      status: 'queued',
    });
    await admin('resume', ids[0]!);
    await client.completed(waiting);
    await becomes(roles[0].pid, 'serving');
    expect(await byPid(roles[1].pid)).toMatchObject({ state: 'drained' });
    await admin('resume', ids[1]!);
    await becomes(roles[1].pid, 'serving');
  });

  it('react at the next heartbeat if they missed the notification', async () => {
    const { id } = await byPid(roles[1].pid);
    await service.database.rows(`UPDATE model_workers SET wanted = 'drain' WHERE id = $1`, [id]);
    expect(await becomes(roles[1].pid, 'drained')).toMatchObject({ id, wanted: 'drain', jobs: 0 });
    await admin('resume', id);
    await becomes(roles[1].pid, 'serving');
  });

  it('exit on a restart request without losing their jobs', async () => {
    const { id } = await byPid(roles[1].pid);
    const jobs = await Promise.all(Array.from({ length: 6 }, smallJob));
    await Promise.all([admin('restart', id), admin('restart', id)]);
    expect(await roles[1].ended).toEqual({ code: 0, signal: null });
    for (const job of jobs) await client.completed(job);
    expect((await events()).filter((action) => action === 'worker.restarted')).toHaveLength(1);
  });

  it('accept no request when they are gone or unknown', async () => {
    await roles[0].kill();
    const { id } = await byPid(roles[0].pid);
    await service.database.rows(
      `UPDATE model_workers SET seen_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    await expect(admin('drain', id)).rejects.toThrow(/not sent a heartbeat/);
    expect(await byPid(roles[0].pid)).toMatchObject({ state: 'gone', wanted: 'serve' });
    expect(await admin<WorkerLogDto>('log', id)).toMatchObject({ current: false });
    await expect(admin('restart', 'wrk_unknown')).rejects.toThrow(/no worker with this id/);
  });
});
