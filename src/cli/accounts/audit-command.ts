import { AUDIT_ACTION_NAMES } from '../../audit/audit-actions.js';
import { auditEvents } from '../../audit/audit-events.repository.js';
import type { AdminCommand } from '../administered.js';
import { UsageError } from '../command-line.mjs';
import { durationMs } from './key-options.js';

interface AuditOptions {
  readonly account?: string;
  readonly action?: string;
  readonly since?: Date;
  readonly before?: string;
  readonly limit: number;
}

/** The most events that one command prints. */
export const MAX_EVENTS = 100_000;

/** `audit`: the audit log, newest first. A deleted account is found by its id. */
export function showAudit({ account, action, since, before, limit }: AuditOptions): AdminCommand {
  return async ({ database, accounts }) => {
    const isId = account === undefined || account.startsWith('acc_');
    const accountId = isId ? account : (await accounts.find(account)).id;
    const rows = await auditEvents.list(database, { accountId, action, since, before, limit });
    return rows.map((row) => Object.assign({}, row, { createdAt: row.createdAt.toISOString() }));
  };
}

/** Reads an action such as `key.created`, or a group such as `key`. @throws UsageError */
export function actionOption(text: string): string {
  if (AUDIT_ACTION_NAMES.some((name) => name === text || name.startsWith(`${text}.`))) return text;
  throw new UsageError(`--action must be one of ${AUDIT_ACTION_NAMES.join(', ')}, not "${text}".`);
}

/** Reads the id of an event. @throws UsageError */
export function eventIdOption(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text;
  throw new UsageError(`--before must be the id of an event, not "${text}".`);
}

/** Reads a date, or a time before now such as `7d`. @throws UsageError */
export function instantOption(text: string): Date {
  const spanMs = durationMs(text);
  if (spanMs !== undefined) return new Date(Date.now() - spanMs);
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new UsageError(`--since must be a date like 2030-01-31 or a duration like 7d, not "${text}".`);
}
