import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Notifies the worker that holds a lease, by its token, when something else ends it: a canceled job, a
 * deleted account, or an expired lease. The worker then stops the run at once instead of at its next renewal. A
 * completed job needs no notification, because only the holder of the lease completes it.
 */
export class LeaseEnded1733220000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION notify_lease_ended() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         PERFORM pg_notify('lease_ended', OLD.lease_token);
         RETURN NULL;
       END $$`,
    );
    await runner.query(
      `CREATE TRIGGER jobs_lease_ended AFTER UPDATE ON jobs FOR EACH ROW
         WHEN (OLD.lease_token IS NOT NULL AND OLD.lease_token IS DISTINCT FROM NEW.lease_token
               AND NEW.status <> 'completed')
         EXECUTE FUNCTION notify_lease_ended()`,
    );
    await runner.query(
      `CREATE TRIGGER jobs_lease_deleted AFTER DELETE ON jobs FOR EACH ROW
         WHEN (OLD.lease_token IS NOT NULL) EXECUTE FUNCTION notify_lease_ended()`,
    );
  }
}
