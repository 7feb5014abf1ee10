import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The precision with which a job was computed. It is not part of `model`, which identifies equal results. */
export class JobPrecision1733600008000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE jobs ADD COLUMN precision text');
  }
}
