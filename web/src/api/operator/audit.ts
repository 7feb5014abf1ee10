import { useConsolePages } from './console-pages.js';
import type { OperatorAuditList } from './schema.js';

const PAGE_SIZE = 50;

/** Empty strings do not filter. */
export interface AuditFilters {
  /** An account id or email address. */
  readonly account: string;
  /** An action, or a group of actions. */
  readonly action: string;
  /** Days in the browser's time zone, such as 2030-01-31. Both are included. */
  readonly from: string;
  readonly to: string;
}

/** The audit log of all accounts, newest event first. */
export function useConsoleAudit(filters: AuditFilters) {
  return useConsolePages<OperatorAuditList>({
    queryKey: ['operator', 'audit', filters],
    path: '/audit',
    pageSize: PAGE_SIZE,
    queryOf: () => auditQuery(filters),
  });
}

/** URL of a file with every matching event. */
export function auditExportUrl(filters: AuditFilters, format: 'csv' | 'ndjson'): string {
  const given = Object.entries(auditQuery(filters)).filter((entry): entry is [string, string] => !!entry[1]);
  return `/operator/api/audit/export?${String(new URLSearchParams([['format', format], ...given]))}`;
}

function auditQuery({ account, action, from, to }: AuditFilters) {
  return {
    account: account.trim() === '' ? undefined : account.trim(),
    action: action === '' ? undefined : action,
    since: startOfDay(from, 0),
    until: startOfDay(to, 1),
  };
}

/** Undefined for text that is not a day, such as an incomplete input. */
function startOfDay(day: string, daysLater: number): string | undefined {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}
