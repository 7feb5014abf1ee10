import { auditLog } from '../audit/audit-log.js';
import type { Database } from '../infra/database/database.js';
import { serviceEvents } from '../webhooks/events/service-events.js';

const SET = `UPDATE accounts SET operator_since = CASE WHEN $2 THEN now() END
  WHERE id = $1 AND (operator_since IS NOT NULL) <> $2 RETURNING id`;

/** Ends impersonations. Triggers record the ends. */
const END_IMPERSONATIONS = `UPDATE sessions SET impersonated_account_id = NULL
  WHERE account_id = $1 AND impersonated_account_id IS NOT NULL`;

const ALL = `SELECT id AS "accountId", email, operator_since AS since FROM accounts
  WHERE operator_since IS NOT NULL ORDER BY operator_since, id`;

export interface Operator {
  readonly accountId: string;
  readonly email: string;
  readonly since: Date;
}

/** Accounts with the operator role. The role is checked for each request, so a revocation takes effect at once. */
export class Operators {
  constructor(private readonly database: Database) {}

  /** Operators, earliest first. */
  list(): Promise<Operator[]> {
    return this.database.query<Operator>(ALL);
  }

  /**
   * Grants or revokes the role, and records it in the audit log. Afterward, revoking deletes the account's webhook events
   * about customers, which nobody can read any longer. The next call deletes what an interrupted one has left.
   * @returns false when nothing changed
   */
  async set(accountId: string, isOperator: boolean): Promise<boolean> {
    if (isOperator) await serviceEvents.eraseOf(this.database, accountId);
    const isChanged = await this.database.transaction(async (tx) => {
      if ((await tx.query(SET, [accountId, isOperator])).length === 0) return false;
      if (!isOperator) await tx.query(END_IMPERSONATIONS, [accountId]);
      const action = isOperator ? 'operator.granted' : 'operator.revoked';
      await auditLog.record(tx, { action, accountId });
      return true;
    });
    if (!isOperator) await serviceEvents.eraseOf(this.database, accountId);
    return isChanged;
  }
}
