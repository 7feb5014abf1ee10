import { csvRow } from '../../common/lists/csv-row.js';

/** Enhancements of one key with one operation on one day. */
export interface UsageRow {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** Empty for the dashboard. */
  readonly keyId: string;
  /** Chosen by a user; empty for a key that no longer exists, and for those who may not list keys. */
  readonly keyName: string;
  readonly operation: string;
  readonly enhancements: number;
}

/** The first line, as in RFC 4180. */
export const USAGE_CSV_HEADER = 'day,key_id,key_name,operation,enhancements\r\n';

/** One line of the file. */
export function usageCsvLine({ day, keyId, keyName, operation, enhancements }: UsageRow): string {
  return csvRow([day, keyId, keyName, operation, enhancements]);
}
