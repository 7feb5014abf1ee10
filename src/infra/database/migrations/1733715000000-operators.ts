import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The operator role, the resources that workers use, and the load history. */
export class Operators1733715000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  'ALTER TABLE accounts ADD COLUMN IF NOT EXISTS operator_since timestamptz',
  'ALTER TABLE model_workers ADD COLUMN IF NOT EXISTS load jsonb',
  `CREATE TABLE load_samples (
     -- Length of the period, seconds: 60, 600 or 3600.
     resolution integer NOT NULL,
     -- Start of the period.
     at timestamptz NOT NULL,
     jobs integer NOT NULL,
     failed integer NOT NULL,
     -- Completed jobs by time, see LATENCY_BUCKETS; empty without any.
     latencies integer[] NOT NULL,
     queued integer NOT NULL,
     oldest_wait_seconds real NOT NULL,
     workers integer NOT NULL,
     -- Null without a GPU.
     gpu_utilization real,
     gpu_memory_bytes bigint,
     deliveries_due integer NOT NULL,
     PRIMARY KEY (resolution, at)
   )`,
];
