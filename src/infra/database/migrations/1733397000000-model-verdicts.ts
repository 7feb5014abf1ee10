import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** What trial runs of model versions found. The table stays small: see `VerdictsTable`. */
export class ModelVerdicts1733397000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE model_verdicts (
      key text PRIMARY KEY,
      operation text NOT NULL,
      version integer NOT NULL,
      reason text,
      found_at timestamptz NOT NULL DEFAULT now()
    )`);
  }
}
