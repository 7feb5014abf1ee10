import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Reports a queued job when its message is recorded as sent, not when the job is inserted. `NOTIFY` holds a lock of the
 * whole cluster until the commit is on disk, so creations waited for each other. The record covers many jobs at once. A
 * job that is inserted as completed, with the result of an equal one, is still reported at once.
 */
export class JobsToldWhenEnqueued1733858005000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER jobs_made ON jobs');
    await runner.query(
      `CREATE TRIGGER jobs_made AFTER INSERT ON jobs FOR EACH ROW
         WHEN (NEW.status <> 'queued') EXECUTE FUNCTION notify_job_changed()`,
    );
    await runner.query(
      `CREATE TRIGGER jobs_enqueued AFTER UPDATE OF enqueued_at ON jobs FOR EACH ROW
         WHEN (OLD.enqueued_at IS NULL AND NEW.enqueued_at IS NOT NULL)
         EXECUTE FUNCTION notify_job_changed()`,
    );
  }
}
