import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What trial runs of model versions found. The table stays small: see `VerdictsTable`. */
export class ModelVerdicts1733397000000 implements MigrationInterface {
  readonly name = 'ModelVerdicts1733397000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE model_verdicts (
      key text PRIMARY KEY,
      operation text NOT NULL,
      version integer NOT NULL,
      reason text,
      found_at timestamptz NOT NULL DEFAULT now()
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE model_verdicts');
  }
}
