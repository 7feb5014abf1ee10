import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The outbox of emails. The row of a finished email is kept for a while, without its content. */
export class Mails1733750000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  // account_id is the account that the email is about; the row is deleted with it. recipient is null when nobody
  // receives the email.
  `CREATE TABLE mails (
     id text PRIMARY KEY,
     account_id text REFERENCES accounts (id) ON DELETE CASCADE,
     kind text NOT NULL,
     recipient text,
     sealed_content bytea,
     status text NOT NULL CHECK (status IN ('pending', 'sent', 'refused', 'given_up', 'expired', 'discarded')),
     claims integer NOT NULL DEFAULT 0,
     attempts integer NOT NULL DEFAULT 0,
     error text,
     due_at timestamptz,
     expires_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     ended_at timestamptz,
     CHECK ((status = 'pending') = (due_at IS NOT NULL)),
     CHECK ((status = 'pending') = (ended_at IS NULL)),
     CHECK (status <> 'pending' OR (recipient IS NOT NULL AND sealed_content IS NOT NULL))
   )`,
  `CREATE INDEX mails_due ON mails (due_at) WHERE status = 'pending'`,
  `CREATE INDEX mails_created ON mails (created_at)`,
  `CREATE INDEX mails_account ON mails (account_id) WHERE account_id IS NOT NULL`,
];
