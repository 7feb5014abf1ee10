import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Notifies listeners of a new job in the same way as of a changed one, so that an open list shows jobs that a program
 * has just created. The same transaction already notifies of its events; one more notification costs almost nothing.
 */
export class JobMade1732810000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TRIGGER jobs_made AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION notify_job_changed()`,
    );
  }
}
