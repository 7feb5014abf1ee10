import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Usage by day, so that reading its history does not read every job of a month; see
 * docs/decisions/0054-usage-by-day.md.
 */
export class UsageDays1733300000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE enhancement_days (
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     -- UTC
     day date NOT NULL,
     -- Empty for the dashboard: a primary key holds no null.
     key_id text NOT NULL,
     count integer NOT NULL,
     PRIMARY KEY (account_id, day, key_id)
   ) WITH (fillfactor = 50)`,
  `CREATE INDEX enhancement_days_day ON enhancement_days (day)`,
  `CREATE TABLE storage_days (
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     day date NOT NULL,
     -- By how much the storage grew or shrank that day.
     bytes bigint NOT NULL,
     PRIMARY KEY (account_id, day)
   ) WITH (fillfactor = 50)`,
  `CREATE INDEX storage_days_day ON storage_days (day)`,
  // Joins accounts, because an account that is deleted in the same transaction no longer has a row.
  `CREATE FUNCTION add_enhancement_day() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO enhancement_days AS d (account_id, day, key_id, count)
     SELECT r.account_id, (r.created_at AT TIME ZONE 'UTC')::date, coalesce(r.key_id, ''),
            CASE NEW.kind WHEN 'reserve' THEN 1 ELSE -1 END
       FROM quota_ledger r JOIN accounts a ON a.id = r.account_id
      WHERE r.job_id = NEW.job_id AND r.kind = 'reserve'
     ON CONFLICT (account_id, day, key_id) DO UPDATE SET count = d.count + excluded.count;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION add_storage_day(account text, at timestamptz, change bigint) RETURNS void LANGUAGE sql AS $$
     INSERT INTO storage_days AS d (account_id, day, bytes)
     SELECT a.id, (at AT TIME ZONE 'UTC')::date, change FROM accounts a WHERE a.id = account AND change <> 0
     ON CONFLICT (account_id, day) DO UPDATE SET bytes = d.bytes + excluded.bytes $$`,
  `CREATE FUNCTION add_source_day() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN PERFORM add_storage_day(NEW.account_id, NEW.created_at, NEW.bytes);
     ELSE PERFORM add_storage_day(NEW.account_id, NEW.deleted_at, -NEW.bytes);
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION add_result_day() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF OLD.result_key IS NULL THEN PERFORM add_storage_day(NEW.account_id, NEW.completed_at, NEW.result_bytes);
     ELSE PERFORM add_storage_day(NEW.account_id, NEW.result_erased_at, -NEW.result_bytes);
     END IF;
     RETURN NULL;
   END $$`,
  // Deferred: at commit, every transaction already holds the lock on the account's counter, so no two of them
  // deadlock.
  `CREATE CONSTRAINT TRIGGER ledger_days AFTER INSERT ON quota_ledger DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (NEW.kind <> 'commit') EXECUTE FUNCTION add_enhancement_day()`,
  `CREATE CONSTRAINT TRIGGER source_stored AFTER INSERT ON sources DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION add_source_day()`,
  `CREATE CONSTRAINT TRIGGER source_freed AFTER UPDATE OF deleted_at ON sources DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION add_source_day()`,
  `CREATE CONSTRAINT TRIGGER result_stored AFTER UPDATE OF result_key ON jobs DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (OLD.result_key IS NULL AND NEW.result_key IS NOT NULL) EXECUTE FUNCTION add_result_day()`,
  `CREATE CONSTRAINT TRIGGER result_freed AFTER UPDATE OF result_erased_at ON jobs DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (OLD.result_erased_at IS NULL AND NEW.result_erased_at IS NOT NULL)
     EXECUTE FUNCTION add_result_day()`,
  // The next migration adds the usage from before this moment, without holding a lock on these tables.
  `CREATE TABLE usage_days_start (at timestamptz NOT NULL)`,
  `INSERT INTO usage_days_start VALUES (clock_timestamp())`,
];
