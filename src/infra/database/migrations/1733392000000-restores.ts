import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Restored backups, and until when the orphan sweep keeps the objects that are newer than one. */
export class Restores1733392000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE restores (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      snapshot_at timestamptz NOT NULL,
      restored_at timestamptz NOT NULL DEFAULT now(),
      released_at timestamptz
    )`);
  }
}
