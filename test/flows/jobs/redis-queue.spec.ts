import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../../src/infra/database/with-client.js';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { probeRedis } from '../../../src/infra/queue/probe-redis.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowRedis, hasRedis } from '../../support/roles/flow-redis.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { type Sample, readMetrics } from '../../support/roles/flow-metrics.js';
import { eventually } from '../../support/roles/flow-wait.js';

describe.skipIf(!hasRedis)('the queue on Redis (needs redis-server)', () => {
  let redis: FlowRedis;
  let database: TestDatabase;
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    redis = await FlowRedis.start();
    database = await createTestDatabase();
    // The template has the tables that the queue creates without Redis.
    await withClient({ connectionString: database.databaseUrl }, (own) =>
      own.query('DROP SCHEMA bullmq CASCADE'),
    );
    service = await FlowService.start({
      models: ['upscale'],
      databaseUrl: database.databaseUrl,
      env: { REDIS_URL: redis.redisUrl, JOB_LEASE_MS: '1500' },
    });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.close();
    await database?.drop();
    await redis?.close();
  });

  it('carries a job, and PostgreSQL carries none', async () => {
    const { job, bytes } = await client.enhance(await solidFile(20, 20, [120, 90, 60]), {
      operation: 'upscale',
    });
    expect(job).toMatchObject({
      status: 'completed',
      attempts: 1,
      result: { width: 40, bytes: bytes.length },
    });
    expect(await service.database.rows(`SELECT to_regclass('bullmq.job')::text AS name`)).toEqual([
      { name: null },
    ]);
  });

  it('retries a job whose worker was killed', async () => {
    const { url } = await client.upload(await busyFile());
    const { id } = await client.create(url, BUSY_ORDER);
    await client.until(id, 'processing');
    await service.killRole('worker');
    expect((await service.database.job(id))['status']).toBe('processing');
    await service.startRole('worker');
    expect(await client.completed(id)).toMatchObject({ attempts: 2 });
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    expect((await service.files()).results.filter((name) => name.startsWith(id))).toEqual([`${id}-2.png`]);
  });

  it('lets api and dispatcher start without Redis, enqueues their jobs once it responds, and shows that workers wait', async () => {
    const port = await freePort();
    const own = await FlowService.start({
      models: ['upscale'],
      roles: ['api', 'dispatcher'],
      env: { REDIS_URL: `redis://127.0.0.1:${port}` },
    });
    let late: FlowRedis | undefined;
    try {
      expect(own.role('api').log).toMatch(
        /ECONNREFUSED.*the Redis of REDIS_URL cannot be used: .*Check REDIS_URL/,
      );
      const visitor = await own.client();
      const { url } = await visitor.upload(await solidFile(20, 20, [120, 90, 60]));
      const { id } = await visitor.create(url, { operation: 'upscale' });
      for (const level of ['low', 'medium'] as const)
        await visitor.create(url, { operation: 'upscale', level });
      await eventually('the warning', () => {
        const { log } = own.role('api');
        return log.includes('could not enqueue') ? { found: true } : { seen: log };
      });
      expect(own.role('api').log.match(/could not enqueue/g)).toHaveLength(1);
      const workerPort = await freePort();
      const base = `http://127.0.0.1:${workerPort}`;
      const worker = own.startRole('worker', { WORKER_PORT: String(workerPort) });
      await becomes(() => readMetrics(`${base}/metrics`), 0);
      const waiting = await fetch(`${base}/health/ready`);
      expect([waiting.status, await waiting.text()]).toEqual([503, 'not ready: starting\n']);
      expect((await fetch(`${base}/health/live`)).status).toBe(200);
      late = await FlowRedis.start({ port });
      await worker;
      expect((await fetch(`${base}/health/ready`)).status).toBe(200);
      expect(await visitor.completed(id)).toMatchObject({ attempts: 1 });
      await eventually('the api to use Redis', () =>
        own.role('api').log.includes('the Redis of REDIS_URL can be used') ? { found: true } : {},
      );
    } finally {
      await own.close();
      await late?.close();
    }
  });

  it('reports since when Redis refuses the password or is down, without delay', async () => {
    const [redisPort, port] = [await freePort(), await freePort()];
    const open = await FlowRedis.start({ port: redisPort });
    const own = await FlowService.start({
      roles: ['dispatcher'],
      env: { REDIS_URL: open.redisUrl, DISPATCHER_PORT: String(port) },
    });
    let now: FlowRedis | undefined = open;
    const read = (): Promise<readonly Sample[]> => readMetrics(`http://127.0.0.1:${port}/metrics`);
    const restarted = async (options: { readonly password?: string } = {}): Promise<void> => {
      await now?.close();
      now = await FlowRedis.start({ port: redisPort, ...options });
    };
    try {
      const before = await becomes(read, 1);
      await restarted({ password: 'sesame' });
      await eventually('the reason in the log', () =>
        own.role('dispatcher').log.includes('NOAUTH') ? { found: true } : {},
      );
      expect(await becomes(read, 0)).toBe(before);
      await restarted();
      const between = await becomes(read, 1);
      expect(between).toBeGreaterThan(before);
      await now.close();
      now = undefined;
      expect(await becomes(read, 0)).toBeGreaterThanOrEqual(between);
      // A scrape that waits for the next attempt to connect takes a second or more.
      const times: number[] = [];
      for (let scrape = 0; scrape < 5; scrape += 1) {
        const startMs = performance.now();
        await read();
        times.push(performance.now() - startMs);
      }
      expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(900);
    } finally {
      await own.close();
      await now?.close();
    }
  });

  it('carries jobs without a Redis that refuses to write, and says so once', async () => {
    const full = await FlowRedis.start({ isFull: true });
    const port = await freePort();
    const own = await FlowService.start({
      models: ['upscale'],
      env: { REDIS_URL: full.redisUrl, DISPATCHER_PORT: String(port) },
    });
    try {
      await becomes(() => readMetrics(`http://127.0.0.1:${port}/metrics`), 0);
      const visitor = await own.client();
      const { url } = await visitor.upload(await solidFile(20, 20, [120, 90, 60]));
      const { id } = await visitor.create(url, { operation: 'upscale' });
      expect(await visitor.completed(id)).toMatchObject({ attempts: 1 });
      const { log } = own.role('worker');
      expect(log.match(/OOM.*the Redis of REDIS_URL refuses to write: /g)).toHaveLength(1);
      // BullMQ repeats a refused command at once: several hundred times a second.
      const refused = Number(/total_error_replies:(\d+)/.exec(await full.info())?.[1]);
      expect(refused).toBeGreaterThan(0);
      expect(refused).toBeLessThan(100);
      await expect(probeRedis(full.redisUrl)).rejects.toThrow(/^OOM/);
    } finally {
      await own.close();
      await full.close();
    }
  });

  it('tells that a password is wrong', async () => {
    const locked = await FlowRedis.start({ password: 'sesame' });
    try {
      await expect(probeRedis(locked.redisUrl.replace('//', '//:wrong@'))).rejects.toThrow(/^WRONGPASS/);
      await expect(probeRedis(locked.redisUrl.replace('//', '//:sesame@'))).resolves.toMatch(/^\d+\.\d+/);
    } finally {
      await locked.close();
    }
  });
});

/** Waits for `ies_redis_up`. @returns when Redis last took a write, Unix time in seconds */
function becomes(read: () => Promise<readonly Sample[]>, up: 0 | 1): Promise<number> {
  return eventually(`ies_redis_up ${up}`, async () => {
    // The port of a process that starts is closed at first.
    const samples = await read().catch(() => []);
    const valueOf = (name: string) => samples.find((sample) => sample.name === name)?.value;
    const seen = valueOf('ies_redis_up');
    return seen === up ? { found: valueOf('ies_redis_last_success_timestamp_seconds')! } : { seen };
  });
}
