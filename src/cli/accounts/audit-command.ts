import type { AccountsService } from '../../accounts/accounts.service.js';
import { AUDIT_ACTION_NAMES } from '../../audit/audit-actions.js';
import { auditEvents } from '../../audit/audit-events.repository.js';
import type { Queryable } from '../../infra/database/database.js';
import { type ParsedArguments, UsageError } from '../arguments.js';
import type { CommandAnswer } from '../command-answer.js';

/** Options of `audit`. */
export const AUDIT_OPTIONS = ['account', 'action', 'since', 'before', 'limit'] as const;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** The audit log, newest first. An account that was deleted is found by its id. @throws UsageError */
export async function showAudit(
  on: Queryable,
  accounts: AccountsService,
  { options }: ParsedArguments,
): Promise<CommandAnswer> {
  const { account, action, since, before } = options;
  const isId = account === undefined || account.startsWith('acc_');
  const accountId = isId ? account : (await accounts.find(account)).id;
  const rows = await auditEvents.list(on, {
    accountId,
    action: action === undefined ? undefined : actionOf(action),
    since: since === undefined ? undefined : instantOf(since, Date.now()),
    before: before === undefined ? undefined : idOf(before),
    limit: limitOf(options['limit']),
  });
  return rows.map((row) => Object.assign({}, row, { createdAt: row.createdAt.toISOString() }));
}

/** An action such as `key.created`, or a group such as `key`. */
function actionOf(text: string): string {
  if (AUDIT_ACTION_NAMES.some((name) => name === text || name.startsWith(`${text}.`))) return text;
  throw new UsageError(`--action must be one of ${AUDIT_ACTION_NAMES.join(', ')}, not "${text}".`);
}

/** The id of the last event of the page before. */
function idOf(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new UsageError(`--before must be the id of an event, not "${text}".`);
  return text;
}

/** A date, or a time before now such as `7d`. */
function instantOf(text: string, nowMs: number): Date {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(nowMs - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]);
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new UsageError(`--since must be a date like 2030-01-31 or a duration like 7d, not "${text}".`);
  return date;
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}
