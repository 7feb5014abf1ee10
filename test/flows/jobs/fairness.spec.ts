import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowRedis, hasRedis } from '../../support/roles/flow-redis.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** More than can complete during the test. Longer queues are read by index: see query-plans.spec.ts. */
const MANY = 300;
const AT_ONCE = 16;
const ORDER = { operation: 'upscale', level: 'low' } as const;

const BACKENDS = [
  { name: 'PostgreSQL', isThere: true, workers: 1 },
  { name: 'PostgreSQL and two workers', isThere: true, workers: 2 },
  { name: 'Redis', isThere: hasRedis, workers: 1 },
];

describe.each(BACKENDS)('fairness between accounts: the queue on $name', ({ isThere, name, workers }) => {
  describe.skipIf(!isThere)(`(needs ${name})`, () => {
    let redis: FlowRedis | undefined;
    let service: FlowService;
    /** A second worker on the same database and folder. */
    let more: FlowService | undefined;
    let busy: FlowClient;
    let single: FlowClient;

    beforeAll(async () => {
      redis = name === 'Redis' ? await FlowRedis.start() : undefined;
      const env = redis === undefined ? {} : { REDIS_URL: redis.redisUrl };
      service = await FlowService.start({ models: ['upscale'], env, roles: ['api', 'dispatcher'] });
      busy = await service.client();
      single = await service.client();
      const { url } = await busy.upload(await solidFile(16, 16, [90, 90, 90]));
      let left = MANY;
      const one = async (): Promise<void> => {
        while (left-- > 0) await busy.create(url, ORDER);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, one));
      const worker = { ...env, DATA_DIR: service.dataDir };
      await service.startRole('worker');
      if (workers === 2)
        more = await FlowService.start({
          databaseUrl: service.databaseUrl,
          models: ['upscale'],
          env: worker,
          roles: ['worker'],
        });
    });
    afterAll(async () => {
      await more?.close();
      await service?.close();
      await redis?.close();
    });

    const now = async (): Promise<string> => {
      const [row] = await service.database.rows<{ now: string }>('SELECT clock_timestamp()::text AS now');
      return row!.now;
    };

    const started = async (): Promise<number> => {
      const [row] = await service.database.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM jobs WHERE started_at IS NOT NULL`,
      );
      return row!.count;
    };

    it('runs the single job of one account before hundreds of another', async () => {
      await eventually('twenty starts', async () => {
        const count = await started();
        return count >= 20 ? { found: count } : { seen: count };
      });
      const { url } = await single.upload(await solidFile(20, 20, [200, 40, 40]));
      for (let time = 0; time < 3; time += 1) {
        const { id } = await single.create(url, ORDER);
        // From here on, every claim sees the job, which was created slightly earlier.
        const createdAt = await now();
        await single.completed(id);
        const [before] = await service.database.rows<{ count: number }>(
          `SELECT count(*)::int AS count FROM jobs other JOIN jobs mine ON mine.id = $1
            WHERE other.id <> $1 AND other.started_at BETWEEN $2 AND mine.started_at`,
          [id, createdAt],
        );
        expect(before!.count).toBeLessThanOrEqual(2);
      }
      // The test is meaningful only while the other jobs still wait.
      expect(await started()).toBeLessThan(MANY - 100);
    });
  });
});
