import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Chains of operations that accounts saved under a name. */
export class Presets1733501001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE presets (
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        operations jsonb NOT NULL,
        output jsonb,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (account_id, name)
      )`);
  }
}
