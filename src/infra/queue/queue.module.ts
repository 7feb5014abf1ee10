import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { createPostgresBackend, type QueueOptions, setDefaultBackendFactory } from 'bullmq';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { SESSION_OPTIONS } from '../database/session-options.js';
import { ENHANCE_QUEUE, EnhanceQueue } from './enhance-queue.js';
import { isRefusedWrite, QueueErrors } from './queue-errors.js';

/** Longest pause between two attempts to connect to Redis again. */
const RECONNECT_MS = 5_000;

/** Separates BullMQ's tables from ours in the same database. */
const QUEUE_SCHEMA = 'bullmq';

/** Uses Redis when `REDIS_URL` is set, otherwise the service's own PostgreSQL. The queue code is the same for both. */
export function queueOptions(config: Config): QueueOptions {
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
  if (config.redisUrl !== undefined) {
    setDefaultBackendFactory();
    // The hash tag `{enhance}` keeps all keys of the queue on one node of a Redis Cluster.
    return {
      connection: {
        url: config.redisUrl,
        // Without Redis, messages fail soon, and the sweeper sends them later. BullMQ's workers override this.
        maxRetriesPerRequest: 0,
        retryStrategy: (times: number) => Math.min(times * 1_000, RECONNECT_MS),
        reconnectOnError: isRefusedWrite,
      },
      prefix: '{ies}',
      defaultJobOptions,
    };
  }
  setDefaultBackendFactory(createPostgresBackend);
  const connection = {
    // BullMQ's connections set a search path and use LISTEN, so they need a session.
    connectionString: config.databaseDirectUrl ?? config.databaseUrl,
    schema: QUEUE_SCHEMA,
    migrate: true,
    max: 4,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // A message may be lost, so its commit does not wait for the disk. It would hold the NOTIFY lock while waiting.
    options: `-c synchronous_commit=off ${SESSION_OPTIONS}`,
  };
  // BullMQ types this option for Redis, but the backend set above reads the PostgreSQL form.
  return { connection, defaultJobOptions };
}

@Module({
  imports: [
    BullModule.forRootAsync({ inject: [CONFIG], useFactory: (config: Config) => queueOptions(config) }),
    BullModule.registerQueue({ name: ENHANCE_QUEUE }),
  ],
  providers: [EnhanceQueue, QueueErrors],
  exports: [EnhanceQueue, QueueErrors, BullModule],
})
export class QueueModule {}
