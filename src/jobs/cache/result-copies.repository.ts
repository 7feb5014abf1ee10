import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';

const RECORD: Prepared = {
  name: 'result_copies_record',
  text: `INSERT INTO result_copies (object_key) SELECT unnest($1::text[])`,
};

const FORGET: Prepared = {
  name: 'result_copies_forget',
  text: `DELETE FROM result_copies WHERE object_key = ANY ($1::text[]) RETURNING 1`,
};

/**
 * Objects that are copied before the jobs that own them are inserted. The transaction that inserts the jobs forgets
 * them; what a killed process leaves is erased an hour later.
 */
@Injectable()
export class ResultCopiesRepository {
  constructor(private readonly database: Database) {}

  /** Call it before copying. @param keys of objects that don't exist yet */
  async record(keys: readonly string[]): Promise<void> {
    await this.database.query(RECORD, [keys]);
  }

  /** @returns how many of them were still recorded; the others are being erased */
  async forget(on: Queryable, keys: readonly string[]): Promise<number> {
    return (await on.query(FORGET, [keys])).length;
  }

  /** Like `forget`, outside a transaction. */
  async forgetDeleted(keys: readonly string[]): Promise<void> {
    await this.forget(this.database, keys);
  }
}
