import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';

const OLDEST: Prepared = {
  name: 'restore_oldest_hold',
  text: `SELECT extract(epoch FROM now() - min(snapshot_at))::float8 * 1000 AS "ageMs"
           FROM restores WHERE released_at IS NULL`,
};

/** The row of an object may have been written just before or after the snapshot. */
const MARGIN_MS = 3_600_000;

/** Unreferenced objects that are kept because an older database was restored. */
@Injectable()
export class RestoreHold {
  constructor(private readonly database: Database) {}

  /** Objects older than this may be deleted, milliseconds; undefined without a restore. */
  async minAgeMs(): Promise<number | undefined> {
    const [row] = await this.database.query<{ ageMs: number | null }>(OLDEST);
    return row!.ageMs === null ? undefined : row!.ageMs + MARGIN_MS;
  }
}
