import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** A hash of each job's request and input bytes, so that an equal request gets the existing result. */
export class ResultCache1733490000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Nullable, or with a constant default: no row is rewritten, and the previous version can ignore them.
    await runner.query('ALTER TABLE jobs ADD COLUMN IF NOT EXISTS request_hash bytea');
    await runner.query('ALTER TABLE jobs ADD COLUMN IF NOT EXISTS cached boolean');
    await runner.query('ALTER TABLE jobs ADD COLUMN IF NOT EXISTS key_id text');
    await runner.query(
      'ALTER TABLE accounts ADD COLUMN IF NOT EXISTS result_cache boolean NOT NULL DEFAULT false',
    );
    await runner.query('DROP TRIGGER IF EXISTS result_stored_at_once ON jobs');
    // The row of a job that is inserted as completed already has its result and is never updated with one.
    await runner.query(
      `CREATE CONSTRAINT TRIGGER result_stored_at_once AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.result_key IS NOT NULL) EXECUTE FUNCTION add_result_day()`,
    );
    await createIndexConcurrently(
      runner,
      'jobs_reusable',
      `jobs (account_id, request_hash)
         WHERE request_hash IS NOT NULL AND status = 'completed' AND result_erased_at IS NULL AND deleted_at IS NULL`,
    );
  }
}
