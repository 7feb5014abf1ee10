import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Accounts, keys, quotas, sources, jobs and the event outbox. */
export class Initial1732000000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...INSTALLATION, ...ACCOUNTS, ...QUOTAS, ...SOURCES, ...JOBS, ...OUTBOX])
      await runner.query(statement);
  }
}

const INSTALLATION = [
  // One row at most: the object store that belongs to this database carries the same id.
  `CREATE TABLE installation (
     id text NOT NULL,
     only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
   )`,
];

const ACCOUNTS = [
  `CREATE TABLE accounts (
     id text PRIMARY KEY,
     email text NOT NULL,
     plan text NOT NULL CHECK (plan IN ('free', 'personal', 'business', 'enterprise')),
     limits jsonb,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE UNIQUE INDEX accounts_email ON accounts (lower(email))`,
  `CREATE TABLE api_keys (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     name text NOT NULL,
     hash bytea NOT NULL UNIQUE,
     prefix text NOT NULL,
     last4 text NOT NULL,
     scopes text[] NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     last_used_at timestamptz,
     expires_at timestamptz,
     revoked_at timestamptz
   )`,
  `CREATE INDEX api_keys_account ON api_keys (account_id)`,
  // Unlogged, because a crash does no harm: every key then starts a new minute.
  `CREATE UNLOGGED TABLE rate_limits (
     bucket text PRIMARY KEY,
     window_index bigint NOT NULL,
     current_count integer NOT NULL,
     previous_count integer NOT NULL,
     allowed boolean NOT NULL
   ) WITH (fillfactor = 50)`,
];

const QUOTAS = [
  `CREATE TABLE enhancement_usage (
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     period text NOT NULL,
     used integer NOT NULL CHECK (used >= 0),
     PRIMARY KEY (account_id, period)
   ) WITH (fillfactor = 50)`,
  `CREATE TABLE storage_usage (
     account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
     used_bytes bigint NOT NULL DEFAULT 0 CHECK (used_bytes >= 0)
   ) WITH (fillfactor = 50)`,
  // In addition to the counter, so that nothing can be charged or refunded twice.
  `CREATE TABLE quota_ledger (
     job_id text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('reserve', 'commit', 'refund')),
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     period text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (job_id, kind)
   )`,
  `CREATE UNIQUE INDEX quota_ledger_settled_once ON quota_ledger (job_id) WHERE kind IN ('commit', 'refund')`,
  `CREATE INDEX quota_ledger_account ON quota_ledger (account_id, period)`,
  `CREATE TABLE quota_notices (
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     quota text NOT NULL CHECK (quota IN ('enhancements', 'storage')),
     last_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, quota)
   )`,
];

const SOURCES = [
  `CREATE TABLE sources (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     object_key text NOT NULL,
     format text NOT NULL,
     width integer NOT NULL,
     height integer NOT NULL,
     bytes bigint NOT NULL,
     sha256 text NOT NULL,
     created_at timestamptz NOT NULL,
     deleted_at timestamptz
   )`,
  `CREATE INDEX sources_account ON sources (account_id, id DESC)`,
];

const JOBS = [
  `CREATE TABLE jobs (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     source_id text NOT NULL REFERENCES sources ON DELETE CASCADE,
     operation text NOT NULL,
     level text NOT NULL,
     output jsonb NOT NULL,
     metadata jsonb NOT NULL,
     status text NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
     progress real NOT NULL DEFAULT 0,
     attempts integer NOT NULL DEFAULT 0,
     claims integer NOT NULL DEFAULT 0,
     error_code text,
     error_message text,
     model jsonb,
     device text,
     timings jsonb,
     source_pixels integer NOT NULL,
     period text NOT NULL,
     result_key text,
     result_format text,
     result_width integer,
     result_height integer,
     result_bytes bigint,
     result_sha256 text,
     result_expires_at timestamptz,
     result_erased_at timestamptz,
     lease_token text,
     lease_expires_at timestamptz,
     enqueued_at timestamptz,
     created_at timestamptz NOT NULL,
     started_at timestamptz,
     completed_at timestamptz,
     deleted_at timestamptz,
     CHECK ((status = 'completed') = (result_key IS NOT NULL)),
     CHECK ((status = 'failed') = (error_code IS NOT NULL))
   ) WITH (fillfactor = 70)`,
  `CREATE INDEX jobs_account ON jobs (account_id, id DESC) WHERE deleted_at IS NULL`,
  `CREATE INDEX jobs_queued ON jobs (created_at) INCLUDE (source_pixels) WHERE status = 'queued'`,
  `CREATE INDEX jobs_leased ON jobs (lease_expires_at) WHERE status = 'processing'`,
  `CREATE INDEX jobs_result_expiry ON jobs (result_expires_at) WHERE result_key IS NOT NULL AND result_erased_at IS NULL`,
  // Empty unless a fault left a result behind, because deleting a job also deletes its result.
  `CREATE INDEX jobs_deleted_result ON jobs (id)
    WHERE result_key IS NOT NULL AND result_erased_at IS NULL AND deleted_at IS NOT NULL`,
  `CREATE INDEX jobs_source ON jobs (source_id)`,
  `CREATE TABLE idempotency_keys (
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     key text NOT NULL,
     request_hash text NOT NULL,
     status integer NOT NULL,
     body json NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, key)
   )`,
  `CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)`,
];

const OUTBOX = [
  `CREATE TABLE events (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     type text NOT NULL,
     data jsonb NOT NULL,
     created_at timestamptz NOT NULL,
     dispatched_at timestamptz
   )`,
  `CREATE INDEX events_undispatched ON events (id) WHERE dispatched_at IS NULL`,
  `CREATE INDEX events_account ON events (account_id, id DESC)`,
];
