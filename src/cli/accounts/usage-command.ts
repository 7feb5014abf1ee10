import { USAGE_CSV_HEADER, usageCsvLine, type UsageRow } from '../../quotas/export/usage-csv.js';
import { UsageExport } from '../../quotas/export/usage-export.js';
import { UsageExportRepository } from '../../quotas/export/usage-export.repository.js';
import { DAY, usageRange, type UsageRange } from '../../quotas/export/usage-range.js';
import { type AdminCommand, Printed } from '../administered.js';
import { UsageError } from '../command-line.mjs';

/** `account usage`: enhancements by day, key and operation as CSV; with `--json` as rows. @throws UsageError */
export function exportUsage(idOrEmail: string, asked: Partial<UsageRange>): AdminCommand {
  const range = usageRange(asked, Date.now());
  if (range.from > range.to) throw new UsageError(`--from must not be after --to (${range.to}).`);
  return async ({ accounts, database }) => {
    const { id } = await accounts.find(idOrEmail);
    const rows: UsageRow[] = [];
    for await (const page of new UsageExport(new UsageExportRepository(database)).pages(id, range, true))
      rows.push(...page);
    return new Printed(USAGE_CSV_HEADER + rows.map(usageCsvLine).join(''), rows);
  };
}

/** Reads a day. @throws UsageError */
export const dayOption =
  (name: string) =>
  (text: string): string => {
    const time = Date.parse(`${text}T00:00:00Z`);
    if (DAY.test(text) && new Date(time || 0).toISOString().startsWith(text)) return text;
    throw new UsageError(`${name} must be a day such as 2026-01-31, not "${text}".`);
  };
