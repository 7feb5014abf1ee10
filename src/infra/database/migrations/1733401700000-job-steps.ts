import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Jobs with several steps, each of which counts as an enhancement. The previous version refunds only one enhancement
 * per job; the trigger refunds the rest.
 */
export class JobSteps1733401700000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  // Nullable or with a constant default: no row is rewritten, and the previous version can ignore them.
  `ALTER TABLE jobs ADD COLUMN steps jsonb, ADD COLUMN enhancements integer NOT NULL DEFAULT 1,
     ADD COLUMN work_pixels bigint, ADD COLUMN preset text`,
  `ALTER TABLE quota_ledger ADD COLUMN enhancements integer NOT NULL DEFAULT 1`,
  `CREATE OR REPLACE FUNCTION add_enhancement_day() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE reserved quota_ledger;
   BEGIN
     SELECT * INTO reserved FROM quota_ledger WHERE job_id = NEW.job_id AND kind = 'reserve';
     IF NEW.kind = 'refund' AND NEW.enhancements < reserved.enhancements THEN
       UPDATE enhancement_usage SET used = greatest(0, used - (reserved.enhancements - NEW.enhancements))
        WHERE account_id = NEW.account_id AND period = NEW.period;
     END IF;
     INSERT INTO enhancement_days AS d (account_id, day, key_id, count)
     SELECT reserved.account_id, (reserved.created_at AT TIME ZONE 'UTC')::date, coalesce(reserved.key_id, ''),
            CASE NEW.kind WHEN 'reserve' THEN reserved.enhancements ELSE -reserved.enhancements END
       FROM accounts a WHERE a.id = reserved.account_id
     ON CONFLICT (account_id, day, key_id) DO UPDATE SET count = d.count + excluded.count;
     RETURN NULL;
   END $$`,
];
