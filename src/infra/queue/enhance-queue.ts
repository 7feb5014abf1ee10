import { setTimeout as sleep } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { within } from '../../kernel/concurrency/within.js';
import { Metrics } from '../telemetry/metrics.js';
import { RedisMetrics } from '../telemetry/redis-metrics.js';
import { PROBE_KEY, PROBE_TTL_MS } from './probe-redis.js';
import { QueueErrors } from './queue-errors.js';

/** A sweep and a shutdown wait for the queue, which may never respond. */
const ADD_LIMIT_MS = 5_000;
/** A start does not wait longer for Redis. */
const FIRST_LIMIT_MS = 3_000;

export const ENHANCE_QUEUE = 'enhance';

/** A message contains only an id; the job's row contains the rest. */
export interface EnhanceMessage {
  readonly jobId: string;
}

/** The queue did not accept messages. Its codes are not those of the database, such as `ECONNREFUSED`. */
export class QueueUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the queue is unavailable: ${String(cause)}`, { cause });
  }
}

/** Wakes workers. Not authoritative: a message may be lost or arrive twice; the job's row decides. */
@Injectable()
export class EnhanceQueue implements OnModuleInit {
  private readonly logger = new Logger('queue');

  private isConnected = false;

  constructor(
    @InjectQueue(ENHANCE_QUEUE) private readonly queue: Queue<EnhanceMessage>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'redisUrl'>,
    private readonly errors: QueueErrors,
    metrics: Metrics,
  ) {
    if (config.redisUrl !== undefined) void new RedisMetrics(metrics, () => this.probeRedis());
    // Without a listener, an error event would end the process. The sweeper adds messages that could not be added.
    queue.on('error', (error) => errors.record(error));
  }

  /**
   * Waits for the first connection, but not long for a Redis that does not respond: the service runs without it, because
   * the sweeper enqueues jobs later and workers also look for them in the database.
   * @throws the error of a first connection that BullMQ does not try again, so that the start is tried again
   */
  async onModuleInit(): Promise<void> {
    const connected = this.queue.waitUntilReady().then(() => void (this.isConnected = true));
    if (this.config.redisUrl === undefined) return connected;
    try {
      await Promise.race([connected, sleep(FIRST_LIMIT_MS)]);
    } catch (error) {
      throw new Error(`the Redis of REDIS_URL cannot be used: ${String(error)}`, { cause: error });
    }
    if (this.isConnected) return;
    this.logger.error(
      { error: this.errors.last ?? 'no answer' },
      'the Redis of REDIS_URL cannot be used: running workers find jobs in the database, but none can start. ' +
        'Check REDIS_URL, and run `npm run doctor`',
    );
    connected.then(
      () => this.logger.log('the Redis of REDIS_URL can be used'),
      (error: unknown) => {
        this.logger.fatal({ error: String(error) }, 'the queue cannot be used; shutting down to start again');
        process.kill(process.pid, 'SIGTERM');
      },
    );
  }

  /**
   * Adds a message for each job; adding it again while it waits does nothing. The message's id contains the number of
   * earlier claims, so that it is not blocked by a message still held by a worker that lost or released the job.
   * @throws QueueUnavailable
   */
  async addMany(jobs: readonly { readonly id: string; readonly claims: number }[]): Promise<void> {
    if (jobs.length === 0) return;
    const messages = jobs.map(({ id, claims }) => ({
      name: 'enhance',
      data: { jobId: id },
      opts: { jobId: `${id}-${claims}` },
    }));
    await this.accepted(() => this.queue.addBulk(messages));
  }

  /** Like `addMany`, for one job that was never claimed. */
  async addNew(jobId: string): Promise<void> {
    await this.accepted(() => this.queue.add('enhance', { jobId }, { jobId: `${jobId}-0` }));
  }

  /** @throws QueueUnavailable; the error of Redis, which answers and does not write */
  private async probeRedis(): Promise<void> {
    this.requireConnected();
    const client = await this.queue.getBackend().client;
    // A command would wait for the next attempt to connect, and the scrape with it.
    if (client.status !== 'ready') throw new QueueUnavailable(this.errors.last ?? client.status);
    await client.set(PROBE_KEY, '', { PX: PROBE_TTL_MS });
  }

  private requireConnected(): void {
    if (!this.isConnected) throw new QueueUnavailable(this.errors.last ?? 'not connected');
  }

  private async accepted(add: () => Promise<unknown>): Promise<void> {
    // BullMQ would keep each message in memory until the first connection.
    this.requireConnected();
    try {
      await within(ADD_LIMIT_MS, add());
    } catch (error) {
      throw new QueueUnavailable(error);
    }
  }
}
