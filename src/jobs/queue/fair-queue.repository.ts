import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { JOB_KIND } from './job-kind.sql.js';
import type { JobWithSource } from '../job-presenter.js';
import { JOB_COLUMNS } from '../job.entity.js';

/**
 * The price of a job in turns: its pixels, but for small ones what any job costs. An account's jobs stand one price
 * apart, from the turn the queue has come to (`job_clock`) or from its own last job, whichever is later. So among
 * accounts that wait each gets an equal share of pixels, and an account that comes with one job is next (start-time
 * fair queueing: a turn is a virtual start time).
 */
export const TURN_PRICE = `greatest(source_pixels, 250000)`;

/** The first of each kind, and of those the first: a few look-ups in one index, whatever waits for other workers. */
const WAITING: Prepared = {
  name: 'job_waiting_by_turn',
  text: `SELECT j.*, s.format AS "sourceFormat", s.decoding_bytes::float8 AS "sourceDecodingBytes" FROM (
           SELECT w.* FROM unnest($1::text[]) AS k (kind) CROSS JOIN LATERAL (
             SELECT ${JOB_COLUMNS} FROM jobs
              WHERE status = 'queued' AND deleted_at IS NULL AND ${JOB_KIND} = k.kind AND id <> ALL ($3::text[])
              ORDER BY turn, id LIMIT $2) w
            ORDER BY w.turn, w.id LIMIT $2) j
           JOIN sources s ON s.id = j."sourceId" ORDER BY j.turn, j.id`,
};

/** A job as a worker must know it before it takes it. */
export interface WaitingJob extends JobWithSource {
  /** Bytes of memory that decoding its source takes; null when nobody has looked. */
  readonly sourceDecodingBytes: number | null;
}

/** The jobs that wait for a worker, in the order that is fair between accounts. */
@Injectable()
export class FairQueueRepository {
  constructor(private readonly database: Database) {}

  /**
   * The next jobs for a worker. Nobody holds them: claim one to have it.
   * @param kinds what the worker can run, see `workKind`
   * @param excluded ids of jobs that it leaves to others; few
   */
  async waiting(
    kinds: readonly string[],
    limit: number,
    excluded: readonly string[] = [],
  ): Promise<readonly WaitingJob[]> {
    return this.database.query<WaitingJob & Record<string, unknown>>(WAITING, [kinds, limit, excluded]);
  }
}
