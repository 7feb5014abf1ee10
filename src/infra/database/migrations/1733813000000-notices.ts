import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Email notices to the people of an account, their settings, and the devices from which users signed in. */
export class Notices1733813000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

/** Whether a row has reached 80% of the quota. Null, which counts as false, while the quota is unknown. */
const isNearLimit = (row: string): string =>
  `${row}.allowed > 0 AND ${row}.used::bigint * 5 >= ${row}.allowed::bigint * 4`;

const STATEMENTS = [
  // No foreign key: its check would deadlock with the deletion of an account, which waits for the endpoint.
  // key makes notices of one kind unique: a second notice with the same key is not written.
  `CREATE TABLE account_notices (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     account_id text NOT NULL,
     kind text NOT NULL,
     key text NOT NULL,
     data jsonb NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     done_at timestamptz,
     UNIQUE (account_id, kind, key)
   )`,
  'CREATE INDEX account_notices_due ON account_notices (id) WHERE done_at IS NULL',
  'CREATE INDEX account_notices_created ON account_notices (created_at)',
  // A user without a row gets every notice, in English until the next sign-in.
  `CREATE TABLE notification_settings (
     user_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
     language text NOT NULL,
     quota boolean NOT NULL DEFAULT true,
     webhooks boolean NOT NULL DEFAULT true
   )`,
  `CREATE TABLE known_devices (
     user_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     key bytea NOT NULL,
     seen_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (user_id, key)
   )`,
  // The quota as of the latest job. Not indexed, so that updates of the counter stay cheap.
  'ALTER TABLE enhancement_usage ADD COLUMN allowed integer',
  `CREATE FUNCTION write_quota_notices() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO account_notices (account_id, kind, key, data)
     SELECT NEW.account_id, 'quota', NEW.period || ':' || percent,
            jsonb_build_object('period', NEW.period, 'percent', percent, 'used', NEW.used, 'allowed', NEW.allowed)
       FROM unnest(ARRAY[80, 100]) AS percent
      WHERE NEW.used::bigint * 100 >= NEW.allowed::bigint * percent
     ON CONFLICT DO NOTHING;
     RETURN NULL;
   END $$`,
  // The triggers check the conditions without calling the function, because most jobs cross no threshold.
  `CREATE TRIGGER quota_notice_first AFTER INSERT ON enhancement_usage FOR EACH ROW
     WHEN (${isNearLimit('NEW')}) EXECUTE FUNCTION write_quota_notices()`,
  `CREATE TRIGGER quota_notice AFTER UPDATE OF used ON enhancement_usage FOR EACH ROW
     WHEN (${isNearLimit('NEW')}
           AND (OLD.allowed IS DISTINCT FROM NEW.allowed
                OR (NEW.used > OLD.used
                    AND (NOT (${isNearLimit('OLD')}) OR (OLD.used < OLD.allowed AND NEW.used >= NEW.allowed)))))
     EXECUTE FUNCTION write_quota_notices()`,
];
