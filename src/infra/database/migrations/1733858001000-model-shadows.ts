import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

const UP = [
  `ALTER TABLE model_choices
     ADD COLUMN shadow_version integer CHECK (shadow_version > 0),
     ADD COLUMN shadow_percent integer CHECK (shadow_percent BETWEEN 1 AND 100),
     ADD COLUMN shadow_since timestamptz,
     ADD CONSTRAINT model_choices_shadow
       CHECK (num_nulls(shadow_version, shadow_percent, shadow_since) IN (0, 3)),
     ADD CONSTRAINT model_choices_canary_or_shadow CHECK (canary_version IS NULL OR shadow_version IS NULL)`,
  `ALTER TABLE model_workers ADD COLUMN shadows jsonb NOT NULL DEFAULT '[]'`,
  `CREATE TABLE model_shadow_figures (
     operation text NOT NULL REFERENCES model_choices (operation) ON DELETE CASCADE,
     since timestamptz NOT NULL,
     version integer NOT NULL,
     serving integer NOT NULL,
     compared integer NOT NULL DEFAULT 0,
     dropped integer NOT NULL DEFAULT 0,
     failed integer NOT NULL DEFAULT 0,
     last_failure text,
     is_matte boolean,
     worst_percent float8,
     squared_error float8 NOT NULL DEFAULT 0,
     serving_ms float8 NOT NULL DEFAULT 0,
     shadow_ms float8 NOT NULL DEFAULT 0,
     PRIMARY KEY (operation, since))`,
  `CREATE TABLE model_shadow_buckets (
     operation text NOT NULL,
     since timestamptz NOT NULL,
     bucket integer NOT NULL CHECK (bucket BETWEEN 0 AND 255),
     jobs integer NOT NULL,
     PRIMARY KEY (operation, since, bucket),
     FOREIGN KEY (operation, since) REFERENCES model_shadow_figures ON DELETE CASCADE)`,
  `CREATE TABLE model_shadow_runs (
     worker_id text PRIMARY KEY,
     operation text NOT NULL,
     since timestamptz NOT NULL,
     FOREIGN KEY (operation, since) REFERENCES model_shadow_figures ON DELETE CASCADE)`,
  'CREATE INDEX model_shadow_runs_shadow ON model_shadow_runs (operation, since)',
];

/** Shadow versions, which run finished jobs again; the figures that result; and the runs that have not ended. */
export class ModelShadows1733858001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}
