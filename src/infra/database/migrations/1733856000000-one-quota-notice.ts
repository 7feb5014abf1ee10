import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * When one job or batch reaches both 80% and 100% of a quota, the notice for 80% is inserted as done, because the one
 * for 100% says more. Its row remains, so that 80% is not reported after a refund.
 */
export class OneQuotaNotice1733856000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WRITE_NOTICES);
  }
}

const WRITE_NOTICES = `
  CREATE OR REPLACE FUNCTION write_quota_notices() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO account_notices (account_id, kind, key, data, done_at)
    SELECT NEW.account_id, 'quota', NEW.period || ':' || percent,
           jsonb_build_object('period', NEW.period, 'percent', percent, 'used', NEW.used, 'allowed', NEW.allowed),
           CASE WHEN percent < 100 AND NEW.used >= NEW.allowed THEN clock_timestamp() END
      FROM unnest(ARRAY[80, 100]) AS percent
     WHERE NEW.used::bigint * 100 >= NEW.allowed::bigint * percent
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`;
