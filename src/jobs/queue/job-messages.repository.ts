import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';

/** Rows that one look reads. */
const UNENQUEUED_WINDOW = 5_000;

/**
 * Jobs whose message may be lost: never enqueued, or enqueued long ago. Reads a part of the queue from `$3`,
 * however long the queue is. Jobs that were never enqueued come first.
 */
const UNENQUEUED: Prepared = {
  name: 'job_unenqueued',
  text: `WITH part AS MATERIALIZED (
           SELECT id, claims, enqueued_at, created_at FROM jobs
            WHERE status = 'queued' AND created_at >= $3 ORDER BY created_at LIMIT ${UNENQUEUED_WINDOW}),
         end_of_part AS (
           SELECT CASE WHEN count(*) = ${UNENQUEUED_WINDOW} THEN max(created_at) END AS at FROM part)
         SELECT w.id, w.claims, w.forgotten, end_of_part.at AS "endsAt" FROM end_of_part LEFT JOIN LATERAL (
           SELECT id, claims, enqueued_at IS NULL AS forgotten FROM part
            WHERE coalesce(enqueued_at + interval '60 seconds', created_at + $1::float8 * interval '1 millisecond') < now()
            ORDER BY enqueued_at NULLS FIRST, created_at LIMIT $2) w ON true`,
};

/** Only for the claim that the message was sent for; a released job has none. */
const MARK_ENQUEUED: Prepared = {
  name: 'job_mark_enqueued',
  text: `UPDATE jobs j SET enqueued_at = now() FROM unnest($1::text[], $2::int[]) AS m (id, claims)
          WHERE j.id = m.id AND j.claims = m.claims AND j.status = 'queued'`,
};

/** A queued job, as its message identifies it. */
export interface WaitingJob {
  readonly id: string;
  /** Number of earlier claims. */
  readonly claims: number;
}

/**
 * The queue's messages of waiting jobs. A message may be lost between the commit of a job and the queue, so the
 * database records which jobs have one.
 */
@Injectable()
export class JobMessagesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Finds jobs in a part of the queue that were created at least `graceMs` ago and may have no message.
   * @param from creation time at which the part starts
   * @returns the jobs (`forgotten`: never had a message) and the start of the next part, null at the end of
   * the queue
   */
  async unenqueued(
    graceMs: number,
    limit: number,
    from: Date,
  ): Promise<{ jobs: (WaitingJob & { forgotten: boolean })[]; endsAt: Date | null }> {
    const rows = await this.database.query<
      { id: string | null; claims: number; forgotten: boolean } & { endsAt: Date | null }
    >(UNENQUEUED, [graceMs, limit, from]);
    const jobs = rows.flatMap(({ id, claims, forgotten }) =>
      id === null ? [] : [{ id, claims, forgotten }],
    );
    const endsAt = rows[0]!.endsAt;
    // Thousands of jobs may share a millisecond: start the next part after them.
    if (endsAt?.getTime() === from.getTime()) return { jobs, endsAt: new Date(from.getTime() + 1) };
    return { jobs, endsAt };
  }

  /** Records that these jobs have a message, or share those of others. Call it only after the queue accepted them. */
  async markEnqueued(jobs: readonly WaitingJob[]): Promise<void> {
    await this.database.query(MARK_ENQUEUED, [jobs.map(({ id }) => id), jobs.map(({ claims }) => claims)]);
  }
}
