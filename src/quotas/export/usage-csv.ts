/** Enhancements of one key with one operation on one day. */
export interface UsageRow {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** Empty for the dashboard. */
  readonly keyId: string;
  /** Chosen by a user; empty for a key that no longer exists. */
  readonly keyName: string;
  readonly operation: string;
  readonly enhancements: number;
}

/** The first line, as in RFC 4180. */
export const USAGE_CSV_HEADER = 'day,key_id,key_name,operation,enhancements\r\n';

/** One line of the file. */
export function usageCsvLine({ day, keyId, keyName, operation, enhancements }: UsageRow): string {
  return `${[day, keyId, csvField(keyName), csvField(operation), enhancements].join(',')}\r\n`;
}

/** Spreadsheets run a field that starts like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A text as a CSV field. A text that a spreadsheet would run as a formula gets an apostrophe in front, which shows it as
 * text (OWASP, "CSV Injection").
 */
export function csvField(text: string): string {
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
