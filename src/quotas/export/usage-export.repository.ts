import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { UsageRow } from './usage-csv.js';

/** Rows of one page. */
export const USAGE_PAGE = 1_000;

/** Reads the primary key from where the last page ended. Omits what was refunded. */
const PAGE: Prepared = {
  name: 'usage_export_page',
  text: `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, d.key_id AS "keyId", d.operation, d.count AS enhancements,
                coalesce(k.name, CASE d.key_id WHEN '' THEN 'Dashboard' ELSE '' END) AS "keyName"
           FROM operation_days d LEFT JOIN api_keys k ON k.id = d.key_id
          WHERE d.account_id = $1 AND d.day <= $2::date AND (d.day, d.key_id, d.operation) > ($3::date, $4, $5)
            AND d.count <> 0
          ORDER BY d.day, d.key_id, d.operation LIMIT ${USAGE_PAGE}`,
};

/** The place of a row in the order of the export. */
export type UsagePosition = Pick<UsageRow, 'day' | 'keyId' | 'operation'>;

/** Enhancements by day, key and operation. */
@Injectable()
export class UsageExportRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param to the last day, `YYYY-MM-DD`
   * @param after the last row of the page before
   * @returns at most `USAGE_PAGE` rows, ordered by day, key and operation
   */
  page(accountId: string, to: string, { day, keyId, operation }: UsagePosition): Promise<UsageRow[]> {
    return this.database.lists.query<UsageRow>(PAGE, [accountId, to, day, keyId, operation]);
  }
}
