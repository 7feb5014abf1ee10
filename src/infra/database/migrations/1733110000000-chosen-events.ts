import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Keeps only events that an endpoint of the account subscribes to; see
 * docs/decisions/0052-events-that-somebody-chose.md. This is a trigger, because a VOLATILE function takes a new
 * snapshot for each statement and so reads the endpoints as they are after it has acquired the lock.
 */
export class ChosenEvents1733110000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

/** First key of the advisory locks. Any number that no other advisory lock of the service uses as its first key. */
export const LOCK_CLASS = 742_195;

const UP = [
  `CREATE FUNCTION keep_chosen_event() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
   BEGIN
     PERFORM pg_advisory_xact_lock_shared(${LOCK_CLASS}, hashtext(NEW.account_id));
     IF EXISTS (SELECT 1 FROM webhook_endpoints w
                 WHERE w.account_id = NEW.account_id AND (w.events @> ARRAY['*'] OR w.events @> ARRAY[NEW.type])) THEN
       RETURN NEW;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION lock_event_choice() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(NEW.account_id));
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER endpoints_chosen BEFORE INSERT ON webhook_endpoints
     FOR EACH ROW EXECUTE FUNCTION lock_event_choice()`,
  `CREATE TRIGGER endpoints_choice_changed BEFORE UPDATE OF events ON webhook_endpoints
     FOR EACH ROW WHEN (OLD.events IS DISTINCT FROM NEW.events) EXECUTE FUNCTION lock_event_choice()`,
  // Pings go to one endpoint, regardless of its subscriptions, and are inserted as already dispatched.
  `CREATE TRIGGER events_chosen BEFORE INSERT ON events
     FOR EACH ROW WHEN (NEW.dispatched_at IS NULL) EXECUTE FUNCTION keep_chosen_event()`,
  // A trigger per row, so that a statement that keeps no row does not wake the dispatchers.
  `DROP TRIGGER events_ready ON events`,
  `CREATE TRIGGER events_ready AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION notify_events_ready()`,
];
