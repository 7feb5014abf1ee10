import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowPostgres } from '../../support/database/flow-postgres.js';
import { FlowProxy } from '../../support/network/flow-proxy.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const TINY_ORDER = { operation: 'smooth_skin' } as const;

describe('a PostgreSQL crash', () => {
  let postgres: FlowPostgres;
  let service: FlowService;
  let client: FlowClient;
  let busyUrl: string;
  let tinyUrl: string;

  beforeAll(async () => {
    postgres = await FlowPostgres.start();
    service = await FlowService.start({
      databaseUrl: postgres.databaseUrl,
      models: ['smooth_skin', 'upscale'],
    });
    client = await service.client();
    await service.database.listen();
    busyUrl = (await client.upload(await busyFile())).url;
    tinyUrl = (await client.upload(await solidFile(16, 16, [90, 80, 70]))).url;
  });
  afterAll(async () => {
    await service?.close();
    await postgres?.close();
  });

  function expectUnavailable(answer: Answer): void {
    expect(answer.status, JSON.stringify(answer.json)).toBe(503);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.json).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      requestId: expect.any(String),
    });
    expect(JSON.stringify(answer.json)).not.toMatch(/ECONN|terminat|postgres/i);
  }

  it('returns 503 to clients, and everything recovers without a restart', async () => {
    const pids = (['api', 'worker', 'dispatcher'] as const).map((role) => service.role(role).pid);
    const running = await client.create(busyUrl, BUSY_ORDER);
    await client.until(running.id, 'processing');
    const waiting = await client.create(tinyUrl, TINY_ORDER);

    await postgres.kill();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await solidFile(8, 8, [1, 2, 3]))]), 'picture');
    expectUnavailable(await client.request('GET', `/api/ai/enhance/${running.id}`));
    expectUnavailable(await client.request('GET', '/api/ai/enhance'));
    expectUnavailable(await client.request('GET', '/api/usage'));
    expectUnavailable(await client.request('POST', '/api/ai/upload', form));
    const order = { sourceUrl: tinyUrl, ...TINY_ORDER };
    expectUnavailable(await client.request('POST', '/api/ai/enhance', order));
    expectUnavailable(
      await client.request('POST', '/api/ai/enhance', order, { 'idempotency-key': 'while-it-is-away' }),
    );
    const health = await client.request('GET', '/health/ready');
    expectUnavailable(health);
    expect(health.json).toMatchObject({ checks: { database: 'unavailable', storage: 'ok' } });
    expect((await client.request('GET', '/health/live')).status).toBe(200);

    await postgres.restart();
    await eventually('the service to be ready again', async () => {
      const { status, json } = await client.request('GET', '/health/ready');
      return status === 200 ? { found: true } : { seen: json };
    });
    const after = await client.create(tinyUrl, TINY_ORDER);
    for (const { id } of [running, waiting, after]) {
      await client.completed(id);
      expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
      expect(await service.database.events(id)).toEqual([
        'enhancement.completed',
        'enhancement.queued',
        'image.completed',
        'job.completed',
      ]);
    }
    expect((await client.usage()).enhancements.used).toBe(3);
    const { results, sources, temporary } = await service.files();
    expect(results).toHaveLength(3);
    expect(sources).toHaveLength(2);
    expect(temporary).toEqual([]);
    expect((['api', 'worker', 'dispatcher'] as const).map((role) => service.role(role).pid)).toEqual(pids);
    for (const role of ['api', 'worker', 'dispatcher'] as const)
      expect(service.role(role).isRunning, role).toBe(true);
  });
});

describe('a connection lost after a result is committed, before the worker is told', () => {
  let service: FlowService;
  let proxy: FlowProxy;

  beforeAll(async () => {
    service = await FlowService.start({ models: ['smooth_skin', 'upscale'], roles: ['api', 'dispatcher'] });
    proxy = await FlowProxy.start(service.databaseUrl);
    await service.startRole('worker', { DATABASE_URL: proxy.databaseUrl });
  });
  afterAll(async () => {
    await service?.close();
    await proxy?.close();
  });

  it('does not lose the result', async () => {
    const client = await service.client();
    const { url } = await client.upload(await solidFile(16, 16, [90, 80, 70]));
    proxy.breakAfterCommitOf('job_complete');
    const { id } = await client.create(url, TINY_ORDER);
    const job = await client.completed(id);
    await eventually('the worker to be done with the job', async () => {
      const messages = await service.database.rows('SELECT id, state FROM bullmq.job WHERE id LIKE $1', [
        `${id}%`,
      ]);
      return messages.length === 0 ? { found: true } : { seen: messages };
    });
    expect(proxy.broken).toBe(1);
    expect(job).toMatchObject({ attempts: 1, error: null });
    expect(await client.bytesAt(job.resultUrl!)).toHaveLength(job.result!.bytes);
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
  });
});
