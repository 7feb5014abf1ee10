import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Notifies listeners when sessions end, with the id of their account, so that every API process can close the
 * event streams of that session. A trigger also covers sessions that end with their account or by an
 * operator's command.
 */
export class SessionEnded1733010000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION notify_session_ended() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         PERFORM pg_notify('session_ended', account_id) FROM (SELECT DISTINCT account_id FROM ended) e;
         RETURN NULL;
       END $$`,
    );
    await runner.query(
      `CREATE TRIGGER sessions_ended AFTER DELETE ON sessions REFERENCING OLD TABLE AS ended
         FOR EACH STATEMENT EXECUTE FUNCTION notify_session_ended()`,
    );
  }
}
