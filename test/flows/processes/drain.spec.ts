import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

describe('a worker that is told to end', () => {
  let service: FlowService;
  let client: FlowClient;
  let busyUrl: string;

  beforeAll(async () => {
    service = await FlowService.start({ models: ['upscale'], roles: ['api', 'dispatcher'] });
    client = await service.client();
    // Large enough to be at work still when the others are created.
    busyUrl = (await client.upload(await busyFile())).url;
  });
  afterAll(() => service?.close());

  it('with no time left gives its jobs back, and another worker completes them', async () => {
    // Room for one job of this size at a time, so that others wait inside the worker.
    const roomForOne = { WORKER_MEMORY_BYTES: '50000000' };
    await service.startRole('worker', { DRAIN_TIMEOUT_MS: '0', ...roomForOne });
    // One by one, or any could be taken first, and be completed before this one is.
    const jobs = [await client.create(busyUrl, BUSY_ORDER)];
    for (let more = 0; more < 2; more++) jobs.push(await client.create(busyUrl, BUSY_ORDER));
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

    await service.startRole('worker');
    for (const { id } of jobs) {
      expect(await client.completed(id)).toMatchObject({ attempts: 1 });
      expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    }
    expect((await service.files()).results).toHaveLength(jobs.length);
    await service.stopRole('worker');
  });

  it('with time enough ends what it has in hand first', async () => {
    await service.startRole('worker', { DRAIN_TIMEOUT_MS: '60000' });
    const jobs = await Promise.all([1, 2].map(() => client.create(busyUrl, BUSY_ORDER)));
    for (const { id } of jobs) await client.until(id, 'processing');
    const ending = service.stopRole('worker');
    for (const { id } of jobs) expect(await client.completed(id)).toMatchObject({ attempts: 1 });
    expect(await ending).toEqual({ code: 0, signal: null });
  });

  it('takes nothing new while it ends', async () => {
    const { url } = await client.upload(await solidFile(64, 64, [90, 120, 60]));
    const late = await client.create(url, BUSY_ORDER);
    expect(await service.database.job(late.id)).toMatchObject({ status: 'queued', attempts: 0 });
    await service.startRole('worker');
    await client.completed(late.id);
  });
});

describe('an api behind a load balancer', () => {
  it('says that it is not ready, serves on for a while, and then ends', { timeout: 120_000 }, async () => {
    const service = await FlowService.start({ roles: ['api'], env: { SHUTDOWN_DELAY_MS: '3000' } });
    try {
      const client = await service.client();
      expect((await client.request('GET', '/health/ready')).status).toBe(200);
      const ending = service.stopRole('api');
      await eventually('the api to say that it is not ready', async () => {
        const { status, headers, json } = await client.request('GET', '/health/ready');
        if (status !== 503) return { seen: status };
        expect(json).toMatchObject({ code: 'service_unavailable', detail: 'The process is shutting down.' });
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        return { found: true };
      });
      expect((await client.request('GET', '/health/live')).status).toBe(200);
      expect(await client.usage()).toMatchObject({ enhancements: { used: 0 } });
      expect(await ending).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
    }
  });
});

describe('the api and the dispatcher', () => {
  it('end in order, with exit code 0', { timeout: 120_000 }, async () => {
    const service = await FlowService.start({ roles: ['api', 'dispatcher'] });
    try {
      expect(await service.stopRole('api')).toEqual({ code: 0, signal: null });
      expect(await service.stopRole('dispatcher')).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
    }
  });
});
