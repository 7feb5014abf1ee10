import { databaseAddress } from './database-address.js';
import { type Descriptor, flag, integer } from './descriptor.js';

/** PostgreSQL: docs/postgresql.md. */
export const DATABASE_DESCRIPTORS = {
  databaseUrl: databaseAddress('DATABASE_URL', {
    defaultText: 'embedded PostgreSQL in `DATA_DIR`',
    text: 'Your own PostgreSQL (14 or newer) instead of the embedded one. May be a PgBouncer in transaction mode if `DATABASE_DIRECT_URL` is set. See docs/postgresql.md.',
  }),
  databaseDirectUrl: databaseAddress('DATABASE_DIRECT_URL', {
    defaultText: '`DATABASE_URL`',
    text: 'The same database without a pooler: for notifications (LISTEN), the job queue in PostgreSQL, migrations and `npm run admin`. Set it if `DATABASE_URL` is a PgBouncer.',
  }),
  databaseReadUrl: databaseAddress('DATABASE_READ_URL', {
    defaultText: '`DATABASE_URL`',
    text: 'A read replica for lists (jobs, sources, deliveries, audit log) and the usage history. They are as old as the replica lags behind. While it cannot be reached, lists are read from `DATABASE_URL`.',
  }),
  databasePoolSize: integer('DATABASE_POOL_SIZE', {
    default: 10,
    min: 2,
    max: 200,
    text: 'Maximum connections of a process to `DATABASE_URL`, and of an api process to `DATABASE_READ_URL`. A process keeps up to 6 more to `DATABASE_DIRECT_URL`: 1 for notifications, 5 for the queue, none of those with `REDIS_URL`.',
  }),
  databasePreparedStatements: flag('DATABASE_PREPARED_STATEMENTS', {
    default: true,
    text: 'Use named prepared statements. Set `false` for a PgBouncer in transaction mode older than 1.21, or with `max_prepared_statements=0`.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
