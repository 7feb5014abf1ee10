import { csvRow } from '../common/lists/csv-row.js';
import type { Queryable } from '../infra/database/database.js';
import { AUDIT_ACTIONS } from './audit-actions.js';
import { type AuditEvent, type AuditQuery, auditEvents } from './audit-events.repository.js';

export const AUDIT_EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type AuditExportFormat = (typeof AUDIT_EXPORT_FORMATS)[number];

/** Events that are read by one statement. No statement or transaction is open while a slow reader receives them. */
const PAGE = 1_000;

const COLUMNS = [
  'id',
  'createdAt',
  'accountId',
  'accountEmail',
  'action',
  'title',
  'actorKind',
  'actorId',
  'actorEmail',
  'targetId',
  'targetEmail',
  'address',
  'userAgent',
  'details',
] as const;

/**
 * The audit log as a file, newest event first, one chunk for each page of events. Events that are recorded meanwhile
 * are left out.
 * @throws database errors; the chunks so far are then not the whole log
 */
export async function* auditExport(
  on: Queryable,
  query: Omit<AuditQuery, 'limit'>,
  format: AuditExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvRow(COLUMNS);
  for (let before = query.before; ;) {
    const events = await auditEvents.list(on, { ...query, before, limit: PAGE });
    const emails = await auditEvents.emails(on, events);
    const lineOf = format === 'csv' ? csvLine : jsonLine;
    if (events.length > 0) yield events.map((event) => lineOf(event, emails)).join('');
    if (events.length < PAGE) return;
    before = events.at(-1)!.id;
  }
}

type Emails = ReadonlyMap<string, string>;

/** One event with the email addresses of its account, its actor, and the user whom it is about. */
export function withEmails({ id, createdAt, ...event }: AuditEvent, emails: Emails) {
  return {
    id,
    createdAt: createdAt.toISOString(),
    accountId: event.accountId,
    accountEmail: emailOf(event.accountId, emails),
    action: event.action,
    title: AUDIT_ACTIONS[event.action],
    actorKind: event.actorKind,
    actorId: event.actorId,
    actorEmail: emailOf(event.actorId, emails),
    targetId: event.targetId,
    targetEmail: emailOf(event.targetId, emails),
    address: event.address,
    userAgent: event.userAgent,
    details: event.details,
  };
}

export const emailOf = (id: string | null, emails: Emails): string | null =>
  id === null ? null : (emails.get(id) ?? null);

const jsonLine = (event: AuditEvent, emails: Emails): string =>
  `${JSON.stringify(withEmails(event, emails))}\n`;

function csvLine(event: AuditEvent, emails: Emails): string {
  const cells = { ...withEmails(event, emails), details: JSON.stringify(event.details) };
  return csvRow(COLUMNS.map((column) => cells[column]));
}
