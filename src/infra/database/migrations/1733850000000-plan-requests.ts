import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Requests from customers for another plan. */
export class PlanRequests1733850000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plan_requests (
        id text PRIMARY KEY,
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        plan text NOT NULL CHECK (plan IN ('personal', 'business', 'enterprise')),
        note text,
        requested_by text REFERENCES accounts ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'approved', 'declined', 'canceled')),
        closed_at timestamptz,
        reason text,
        CHECK ((status = 'open') = (closed_at IS NULL)),
        CHECK ((status = 'declined') = (reason IS NOT NULL))
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX plan_requests_open ON plan_requests (account_id) WHERE status = 'open'`,
    );
    await runner.query(
      `CREATE INDEX plan_requests_waiting ON plan_requests (id COLLATE "C") WHERE status = 'open'`,
    );
    await runner.query('CREATE INDEX plan_requests_account ON plan_requests (account_id, id COLLATE "C")');
    await runner.query('CREATE INDEX plan_requests_user ON plan_requests (requested_by)');
    await runner.query('CREATE INDEX plan_requests_closed ON plan_requests (closed_at)');
  }
}
