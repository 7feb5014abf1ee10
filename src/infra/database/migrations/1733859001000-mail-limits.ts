import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * When emails were last sent, by kind and by the SHA-256 of a recipient or sender. Without foreign keys: deleting an
 * account or an organization must not reset the limits.
 */
export class MailLimits1733859001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE mail_limits (
         subject bytea NOT NULL,
         kind text NOT NULL,
         sent_at timestamptz[] NOT NULL,
         allowed boolean NOT NULL,
         updated_at timestamptz NOT NULL,
         PRIMARY KEY (subject, kind)
       )`,
    );
    await runner.query('CREATE INDEX mail_limits_updated ON mail_limits (updated_at)');
  }
}
