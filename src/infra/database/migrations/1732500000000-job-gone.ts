import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Also notifies the listeners of an unfinished job when it is deleted with its account. */
export class JobGone1732500000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION notify_job_gone() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         PERFORM pg_notify('job_changed', OLD.id);
         RETURN NULL;
       END $$`,
    );
    await runner.query(
      `CREATE TRIGGER jobs_gone AFTER DELETE ON jobs FOR EACH ROW
         WHEN (OLD.status IN ('queued', 'processing')) EXECUTE FUNCTION notify_job_gone()`,
    );
  }
}
