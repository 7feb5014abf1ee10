import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QueueUnavailable } from '../../../src/infra/queue/enhance-queue.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { AppError } from '../../../src/kernel/app-error.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { FlowRedis, hasRedis } from '../../support/roles/flow-redis.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { jobSweepsOf } from '../../support/dispatcher/job-sweeps.js';
import { isDatabaseUnavailable } from '../../../src/infra/database/database-errors.js';

Logger.overrideLogger(false);

describe('the job sweeps', () => {
  let redis: FlowRedis | undefined;
  let harness: Harness;

  beforeAll(async () => {
    redis = hasRedis ? await FlowRedis.start() : undefined;
    harness = await startHarness({ env: redis === undefined ? {} : { REDIS_URL: redis.redisUrl } });
  });
  afterAll(async () => {
    await harness?.close();
    await redis?.close();
  });

  async function overdueJob(): Promise<string> {
    const { id } = await harness.newJob(await harness.createAccount());
    await harness.rows(
      `UPDATE jobs SET cancel_at = now() - interval '1 second', created_at = now() - interval '1 minute',
                       enqueued_at = now() WHERE id = $1`,
      [id],
    );
    return id;
  }

  async function expiredResult(): Promise<string> {
    const { id } = await harness.newJob(await harness.createAccount());
    await harness.jobs.complete(id);
    await harness.rows(`UPDATE jobs SET result_expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    return id;
  }

  const count = async (sql: string, id: string) =>
    (await harness.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`, [id]))[0]!.count;
  const isCanceled = async (id: string) =>
    (await count(`jobs WHERE id = $1 AND error_code = 'canceled'`, id)) === 1;
  const isErased = async (id: string) =>
    (await count('jobs WHERE id = $1 AND result_erased_at IS NOT NULL', id)) === 1;

  const isForgotten = async (id: string) =>
    (await count('jobs WHERE id = $1 AND enqueued_at IS NULL', id)) === 1;

  it('cancel overdue jobs while the store does not respond', async () => {
    const id = await overdueJob();
    await expiredResult();
    const away = new AppError('service_unavailable');
    const deleting = vi.spyOn(harness.app.get(ObjectStore), 'delete').mockRejectedValue(away);
    const error: unknown = await jobSweepsOf(harness)
      .sweep()
      .catch((reason: unknown) => reason);
    deleting.mockRestore();
    expect(error).toBe(away);
    expect(await isCanceled(id)).toBe(true);
  });

  it.skipIf(!hasRedis)(
    'do everything except sending messages while Redis is away (needs redis-server)',
    async () => {
      const [id, result] = [await overdueJob(), await expiredResult()];
      const { id: forgotten } = await harness.newJob(await harness.createAccount());
      await eventually('its message', async () => ((await isForgotten(forgotten)) ? {} : { found: true }));
      await redis!.close();
      redis = undefined;
      await harness.rows(
        `UPDATE jobs SET created_at = now() - interval '1 minute', enqueued_at = NULL WHERE id = $1`,
        [forgotten],
      );
      const error: unknown = await jobSweepsOf(harness)
        .sweep()
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(QueueUnavailable);
      expect(isDatabaseUnavailable(error)).toBe(false);
      expect(await isCanceled(id)).toBe(true);
      expect(await isErased(result)).toBe(true);
      expect(await isForgotten(forgotten)).toBe(true);
    },
  );
});
