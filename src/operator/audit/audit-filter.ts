import type { AuditQuery } from '../../audit/audit-events.repository.js';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { accountIdOf } from '../accounts/account-id.js';

/** The filters of a request. */
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
    accountId: account === undefined ? undefined : await knownAccountId(on, account),
    action,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

async function knownAccountId(on: Queryable, account: string): Promise<string> {
  const id = await accountIdOf(on, account);
  if (id !== undefined) return id;
  const message = 'account has the email address of no account; use the id of a deleted one';
  throw new AppError('invalid_request', { errors: [{ field: 'account', code: 'unknown', message }] });
}
