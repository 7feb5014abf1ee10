import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Notifies listeners at commit that a job changed. The payload is the job's id; listeners read the new state. */
export class JobChanges1732060000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION notify_job_changed() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         PERFORM pg_notify('job_changed', NEW.id);
         RETURN NULL;
       END $$`,
    );
    await runner.query(
      `CREATE TRIGGER jobs_changed AFTER UPDATE ON jobs FOR EACH ROW
         WHEN ((OLD.status, OLD.progress, OLD.attempts, OLD.deleted_at)
               IS DISTINCT FROM (NEW.status, NEW.progress, NEW.attempts, NEW.deleted_at))
         EXECUTE FUNCTION notify_job_changed()`,
    );
  }
}
