import type { AuditQuery } from '../../audit/audit-events.repository.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';

const BY_EMAIL: Prepared = {
  name: 'operator_account_by_email',
  text: 'SELECT id FROM accounts WHERE lower(email) = lower($1)',
};

/** The filters as they are given. */
export interface AuditFilter {
  readonly account?: string;
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
}

/**
 * The query of these filters. A deleted account is found by its id.
 * @throws AppError `invalid_request` when no account has the email address
 */
export async function auditQueryOf(
  on: Queryable,
  { account, action, since, until }: AuditFilter,
): Promise<Omit<AuditQuery, 'limit'>> {
  return {
    accountId: account === undefined ? undefined : await accountIdOf(on, account),
    action,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

async function accountIdOf(on: Queryable, account: string): Promise<string> {
  if (!account.includes('@')) return account;
  const [row] = await on.query<{ id: string }>(BY_EMAIL, [account.trim()]);
  if (row !== undefined) return row.id;
  const message = 'account has the email address of no account; use the id of a deleted one';
  throw new AppError('invalid_request', { errors: [{ field: 'account', code: 'unknown', message }] });
}
