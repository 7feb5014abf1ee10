import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** How many seconds workers take for how many pixels, so that the queue length can be given in seconds of work. */
export class WorkRates1732360000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE work_rates (
         operation text NOT NULL,
         level text NOT NULL,
         pixels double precision NOT NULL CHECK (pixels > 0),
         seconds double precision NOT NULL CHECK (seconds >= 0),
         updated_at timestamptz NOT NULL DEFAULT now(),
         PRIMARY KEY (operation, level)
       ) WITH (fillfactor = 50)`,
    );
  }
}
