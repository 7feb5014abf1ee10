import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';

const OLDEST: Prepared = {
  name: 'restore_oldest_hold',
  text: `SELECT extract(epoch FROM now() - min(snapshot_at))::float8 * 1000 AS "ageMs"
           FROM restores WHERE released_at IS NULL`,
};

/** An object of the snapshot's time may have got its row just before or after it. */
const MARGIN_MS = 3_600_000;

/** Objects that are kept although no row refers to them, since an older database was restored. */
@Injectable()
export class RestoreHold {
  constructor(private readonly database: Database) {}

  /** The age from which on objects may be swept, milliseconds; undefined while nothing is held. */
  async minAgeMs(): Promise<number | undefined> {
    const [row] = await this.database.query<{ ageMs: number | null }>(OLDEST);
    return row!.ageMs === null ? undefined : row!.ageMs + MARGIN_MS;
  }
}
