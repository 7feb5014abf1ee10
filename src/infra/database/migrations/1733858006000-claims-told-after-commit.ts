import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * The trigger no longer reports that a job was claimed. `NOTIFY` holds a lock of the whole cluster until the commit is
 * on disk, so claims waited for each other. The worker now reports a claim in a separate transaction, which does not
 * wait for the disk.
 */
export class ClaimsToldAfterCommit1733858006000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER jobs_changed ON jobs');
    await runner.query(
      `CREATE TRIGGER jobs_changed AFTER UPDATE ON jobs FOR EACH ROW
         WHEN ((OLD.status, OLD.progress, OLD.attempts, OLD.deleted_at)
               IS DISTINCT FROM (NEW.status, NEW.progress, NEW.attempts, NEW.deleted_at)
               AND NOT (OLD.status = 'queued' AND NEW.status = 'processing'))
         EXECUTE FUNCTION notify_job_changed()`,
    );
  }
}
