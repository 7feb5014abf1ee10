import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

describe('a process that is asked to stop', () => {
  let service: FlowService;
  let client: FlowClient;
  let busyUrl: string;

  beforeAll(async () => {
    service = await FlowService.start({ models: ['upscale'], roles: ['api', 'dispatcher'] });
    client = await service.client();
    // Large enough to be still running when the other jobs are created.
    busyUrl = (await client.upload(await busyFile())).url;
  });
  afterAll(() => service?.close());

  it('gives its jobs back as worker if it has no time left, and another worker completes them', async () => {
    // Memory for one job of this size at a time, so that the other one waits inside the worker.
    const roomForOne = { WORKER_MEMORY_BYTES: '50000000' };
    await service.startRole('worker', { DRAIN_TIMEOUT_MS: '0', ...roomForOne });
    // Created first and alone; otherwise the other job could run first and complete before this one starts.
    const jobs = [await client.create(busyUrl, BUSY_ORDER)];
    jobs.push(await client.create(busyUrl, BUSY_ORDER));
    await client.until(jobs[0]!.id, 'processing');
    expect(await service.stopRole('worker')).toEqual({ code: 0, signal: null });
    for (const { id } of jobs) {
      expect(await service.database.job(id)).toMatchObject({
        status: 'queued',
        attempts: 0,
        progress: 0,
        started_at: null,
        lease_token: null,
      });
    }
    expect((await service.files()).results).toEqual([]);

    await service.startRole('worker', { DRAIN_TIMEOUT_MS: '60000' });
    for (const { id } of jobs) {
      expect(await client.completed(id)).toMatchObject({ attempts: 1 });
      expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    }
    expect((await service.files()).results).toHaveLength(jobs.length);
  });

  it('finishes its current jobs first as worker if it has time, but takes no new ones', async () => {
    const { url } = await client.upload(await solidFile(64, 64, [90, 120, 60]));
    const { pid } = service.role('worker');
    // No job can complete while this row is held, so the current jobs still run when the late job is created.
    const { jobs, late, ending } = await service.database.whileHeld(
      'SELECT 1 FROM storage_usage FOR UPDATE',
      [],
      async () => {
        const current = await Promise.all([1, 2].map(() => client.create(url, BUSY_ORDER)));
        for (const { id } of current) await client.until(id, 'processing');
        const end = service.stopRole('worker');
        await eventually('the worker to drain', async () => {
          const [row] = await service.database.rows('SELECT state FROM model_workers WHERE pid = $1', [pid]);
          return row?.['state'] === 'draining' ? { found: true } : { seen: row };
        });
        return { jobs: current, late: await client.create(url, BUSY_ORDER), ending: end };
      },
    );
    for (const { id } of jobs) expect(await client.completed(id)).toMatchObject({ attempts: 1 });
    expect(await ending).toEqual({ code: 0, signal: null });
    const stopped = await service.database.rows('SELECT state FROM model_workers WHERE pid = $1', [pid]);
    expect(stopped).toEqual([{ state: 'ended' }]);
    expect(await service.database.job(late.id)).toMatchObject({ status: 'queued', attempts: 0 });
    await service.startRole('worker');
    await client.completed(late.id);
  });

  it('exits cleanly with code 0 as api and as dispatcher', async () => {
    expect(await service.stopRole('api')).toEqual({ code: 0, signal: null });
    expect(await service.stopRole('dispatcher')).toEqual({ code: 0, signal: null });
  });

  it('reports not ready as api behind a load balancer, keeps serving for a while, and then exits', async () => {
    await service.startRole('api', { SHUTDOWN_DELAY_MS: '3000' });
    const ready = await client.request('GET', '/health/ready');
    expect(ready.status).toBe(200);
    expect(ready.headers.get('connection')).not.toBe('close');
    const ending = service.stopRole('api');
    await eventually('the api to say that it is not ready', async () => {
      const { status, headers, json } = await client.request('GET', '/health/ready');
      if (status !== 503) return { seen: status };
      expect(json).toMatchObject({ code: 'service_unavailable', detail: 'The process is shutting down.' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      return { found: true };
    });
    const live = await client.request('GET', '/health/live');
    expect(live.status).toBe(200);
    // The load balancer keeps no connection that is closed together with the listening socket.
    expect(live.headers.get('connection')).toBe('close');
    expect(await (await service.client()).usage()).toMatchObject({ enhancements: { used: 0 } });
    expect(await ending).toEqual({ code: 0, signal: null });
  });
});
