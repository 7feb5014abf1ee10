import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { USAGE_CSV_HEADER, usageCsvLine, type UsageRow } from './usage-csv.js';
import { USAGE_PAGE, UsageExportRepository } from './usage-export.repository.js';
import { usageRange, type UsageRange } from './usage-range.js';

/** What to export. */
export interface ExportedUsage {
  readonly accountId: string;
  /** Whether to include the names of keys. */
  readonly isNamed: boolean;
}

/** Sends the usage of an account as CSV, page by page, so that its size does not matter. */
@Injectable()
export class UsageExport {
  constructor(private readonly repository: UsageExportRepository) {}

  /** @throws AppError `invalid_request` when the range ends before it starts */
  async answer(
    { accountId, isNamed }: ExportedUsage,
    asked: Partial<UsageRange>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const range = usageRange(asked, Date.now());
    if (range.from > range.to)
      throw invalidRequest([
        { field: 'from', code: 'range', message: `from must not be after to (${range.to}).` },
      ]);
    const pages = this.pages(accountId, range, isNamed);
    // Read before the headers are sent, so that a failure gets an error response.
    const first = await pages.next();
    reply.headers({
      'Cache-Control': 'private, no-store',
      'Content-Disposition': `attachment; filename="usage-${range.from}-${range.to}.csv"`,
    });
    const body = request.method === 'HEAD' ? Readable.from([]) : Readable.from(csvOf(first, pages));
    void reply.type('text/csv; charset=utf-8').send(body);
  }

  /** The rows in pages, the first of which may be empty. */
  async *pages(
    accountId: string,
    { from, to }: UsageRange,
    isNamed: boolean,
  ): AsyncGenerator<readonly UsageRow[], void> {
    let rows = await this.repository.page(accountId, to, { day: from, keyId: '', operation: '' });
    yield isNamed ? rows : rows.map(withoutName);
    while (rows.length === USAGE_PAGE) {
      rows = await this.repository.page(accountId, to, rows.at(-1)!);
      yield isNamed ? rows : rows.map(withoutName);
    }
  }
}

/** The dashboard is not a key, so its rows do not change. */
const withoutName = (row: UsageRow): UsageRow => (row.keyId === '' ? row : { ...row, keyName: '' });

async function* csvOf(
  first: IteratorResult<readonly UsageRow[], void>,
  rest: AsyncGenerator<readonly UsageRow[], void>,
): AsyncGenerator<string, void> {
  const textOf = (rows: readonly UsageRow[]): string => rows.map(usageCsvLine).join('');
  yield USAGE_CSV_HEADER + (first.done === true ? '' : textOf(first.value));
  for await (const rows of rest) if (rows.length > 0) yield textOf(rows);
}
