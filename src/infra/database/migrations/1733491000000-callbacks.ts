import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import { LOCK_CLASS } from './1733110000000-chosen-events.js';
import type { Migration } from '../migration.js';

/** Callbacks to a URL that a job names. Each host that an account calls is an endpoint hidden from all lists. */
export class Callbacks1733491000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['jobs', 'events'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS callback_url text`);
    await runner.query(
      'ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS callback boolean NOT NULL DEFAULT false',
    );
    // Callback hosts subscribe to no events, and with the lock two concurrent creations could deadlock.
    await runner.query(ENDPOINTS_CHOSEN);
    // An event with a callback is kept, regardless of what endpoints subscribe to.
    await runner.query(KEEP_CHOSEN_EVENT);
    await createIndexConcurrently(
      runner,
      'webhook_endpoints_callback',
      'webhook_endpoints (account_id, url) WHERE callback',
      'UNIQUE',
    );
  }
}

/** Sends both statements in one message, so that they run in one transaction. */
const ENDPOINTS_CHOSEN = `DROP TRIGGER endpoints_chosen ON webhook_endpoints;
   CREATE TRIGGER endpoints_chosen BEFORE INSERT ON webhook_endpoints
     FOR EACH ROW WHEN (NOT NEW.callback) EXECUTE FUNCTION lock_event_choice()`;

const KEEP_CHOSEN_EVENT = `CREATE OR REPLACE FUNCTION keep_chosen_event() RETURNS trigger
   LANGUAGE plpgsql VOLATILE AS $$
   BEGIN
     PERFORM pg_advisory_xact_lock_shared(${LOCK_CLASS}, hashtext(NEW.account_id));
     IF NEW.callback_url IS NOT NULL OR EXISTS (SELECT 1 FROM webhook_endpoints w
                 WHERE w.account_id = NEW.account_id AND (w.events @> ARRAY['*'] OR w.events @> ARRAY[NEW.type])) THEN
       RETURN NEW;
     END IF;
     RETURN NULL;
   END $$`;
