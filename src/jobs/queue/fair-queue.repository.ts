import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { IN_TIME } from './overdue-jobs.repository.js';
import { JOB_KIND, requiredKinds, WAITING_KINDS } from './job-kind.sql.js';
import type { JobWithSource } from '../job-presenter.js';
import { JOB_COLUMNS } from '../job.entity.js';

/**
 * The cost of a job: the pixels that its steps read, with a minimum. The jobs of an account are one cost apart,
 * starting at the queue's current position (`job_clock`) or after the account's last job, whichever is later. Waiting
 * accounts thus share pixels equally, and an account with a single job is next (start-time fair queueing).
 */
export const TURN_PRICE = `greatest(coalesce(work_pixels, source_pixels), 250000)`;

/**
 * What a job that ends before a worker has started it gives back to its account: the part of its cost that the clock
 * has not passed. If it gave back all of it, an account could keep jobs waiting for a busy operation, and cancel one
 * before each job for another operation, which would then come before those of all other accounts. `least` ignores the
 * null of jobs of earlier versions.
 */
export const TURN_REFUND = `
  CASE WHEN claims > 0 THEN 0
       ELSE greatest(0, least(${TURN_PRICE}, clock_turn + ${TURN_PRICE} - (SELECT turn FROM job_clock LIMIT 1))) END`;

/**
 * The first job of each kind that the worker can run, and then the first of these: a few index lookups, however many
 * jobs wait for other workers.
 */
const WAITING: Prepared = {
  name: 'job_waiting_by_turn',
  text: `WITH RECURSIVE ${WAITING_KINDS},
         k AS (
           SELECT kind FROM (SELECT kind, ${requiredKinds('kind')} AS required FROM hop WHERE kind IS NOT NULL) waiting
            WHERE required <@ $1::text[] AND ($4::text[] IS NULL OR required && $4::text[]))
         SELECT j.*, s.format AS "sourceFormat", s.decoding_bytes::float8 AS "sourceDecodingBytes",
                s.name AS "sourceName" FROM (
           SELECT w.* FROM k CROSS JOIN LATERAL (
             SELECT ${JOB_COLUMNS} FROM jobs
              WHERE status = 'queued' AND deleted_at IS NULL AND ${JOB_KIND} = k.kind AND id <> ALL ($3::text[]) AND ${IN_TIME}
              ORDER BY turn, id LIMIT $2) w
            ORDER BY w.turn, w.id LIMIT $2) j
           JOIN sources s ON s.id = j."sourceId" ORDER BY j.turn, j.id`,
};

/** What a worker needs to know of a job before claiming it. */
export interface WaitingJob extends JobWithSource {
  /** Bytes of memory for decoding its source; null when unknown. */
  readonly sourceDecodingBytes: number | null;
  /** File name of its source; null when unknown. */
  readonly sourceName: string | null;
}

/** Jobs that a worker leaves out. */
export interface WaitingFilter {
  /** Ids of jobs that it skips; few. */
  readonly excluded?: readonly string[];
  /** Only jobs with a step of one of these kinds; null: all. */
  readonly including?: readonly string[] | null;
}

/** Queued jobs in fair-share order between accounts. */
@Injectable()
export class FairQueueRepository {
  constructor(private readonly database: Database) {}

  /**
   * The next jobs for a worker, not yet claimed.
   * @param kinds the kinds of steps that the worker can run, see `workKind`
   */
  async waiting(
    kinds: readonly string[],
    limit: number,
    { excluded = [], including = null }: WaitingFilter = {},
  ): Promise<readonly WaitingJob[]> {
    return this.database.query<WaitingJob>(WAITING, [kinds, limit, excluded, including]);
  }
}
