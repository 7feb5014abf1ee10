import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AUDIT_ACTION_NAMES } from '../../audit/audit-actions.js';
import { auditEvents } from '../../audit/audit-events.repository.js';
import { type AuditExportFormat, auditExport } from '../../audit/audit-export.js';
import { auditLog } from '../../audit/audit-log.js';
import { type AdminCommand, type Administered, answerOf } from '../administered.js';
import { UsageError } from '../command-line.mjs';
import { durationMs } from './key-options.js';

interface AuditOptions {
  readonly account?: string;
  readonly action?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly before?: string;
  readonly limit: number;
}

/** Maximum events that one command prints. */
export const MAX_EVENTS = 100_000;

/** `audit`: the audit log, newest first. A deleted account must be given by its id. */
export function showAudit({ account, limit, ...filter }: AuditOptions): AdminCommand {
  return async (administered) => {
    const accountId = await accountIdOf(account, administered);
    const rows = await auditEvents.list(administered.database, { accountId, ...filter, limit });
    return rows.map((row) => Object.assign(answerOf(row), { createdAt: row.createdAt.toISOString() }));
  };
}

/** `audit-export`: writes every event that matches to standard output. */
export function exportAudit(
  format: AuditExportFormat,
  { account, ...filter }: Omit<AuditOptions, 'limit'>,
): AdminCommand {
  return async (administered) => {
    const { database } = administered;
    const query = { accountId: await accountIdOf(account, administered), ...filter };
    await auditLog.record(database, {
      action: 'audit.exported',
      accountId: null,
      details: { format, ...query },
    });
    await pipeline(Readable.from(auditExport(database, query, format)), process.stdout, { end: false });
    return null;
  };
}

async function accountIdOf(
  account: string | undefined,
  { accounts }: Administered,
): Promise<string | undefined> {
  const isId = account === undefined || account.startsWith('acc_');
  return isId ? account : (await accounts.find(account)).id;
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
export const instantOption =
  (option: string) =>
  (text: string): Date => {
    const spanMs = durationMs(text);
    if (spanMs !== undefined) return new Date(Date.now() - spanMs);
    const date = new Date(text);
    if (!Number.isNaN(date.getTime())) return date;
    throw new UsageError(`${option} must be a date like 2030-01-31 or a duration like 7d, not "${text}".`);
  };
