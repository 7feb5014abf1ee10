import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowRedis, hasRedis } from '../../support/roles/flow-redis.js';
import { FlowService } from '../../support/roles/flow-service.js';

describe.skipIf(!hasRedis)('the queue on Redis (needs redis-server)', () => {
  let redis: FlowRedis;
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    redis = await FlowRedis.start();
    service = await FlowService.start({
      models: ['upscale'],
      env: { REDIS_URL: redis.redisUrl, JOB_LEASE_MS: '1500' },
    });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.close();
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
});
