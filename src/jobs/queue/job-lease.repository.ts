import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import type { AppliedOutput } from '../../kernel/output-options.js';
import type { ErrorCode } from '../../kernel/errors/error-codes.js';
import type { ImageFormat } from '../../kernel/operations.js';
import { addStorageOf, commitEnhancementsOf } from '../../quotas/job-quota.sql.js';
import type { Reservation } from '../../quotas/quotas.repository.js';
import { TURN_REFUND } from './fair-queue.repository.js';
import { FAILED_EXPIRY } from './failed-expiry.sql.js';
import { IN_TIME } from './overdue-jobs.repository.js';
import type { WaitingJob } from './job-messages.repository.js';
import { JOB_COLUMNS, type JobModel, type JobTimings, type Precision } from '../job.entity.js';
import { withSource } from '../job-list-query.js';
import type { JobWithSource } from '../job-presenter.js';
import type { JobStep } from '../job-step.js';

/** Counts the attempt before decoding, so that a job that kills its worker is detected. */
const CLAIM: Prepared = {
  name: 'job_claim',
  text: `UPDATE jobs SET status = 'processing', attempts = attempts + 1, claims = claims + 1, progress = 0,
                lease_token = $2, lease_expires_at = now() + $3::float8 * interval '1 millisecond',
                started_at = coalesce(started_at, now())
          WHERE id = $1 AND status = 'queued' AND deleted_at IS NULL AND ${IN_TIME}
         RETURNING attempts, claims`,
};

/**
 * Moves the queue's clock, and notifies the listeners of the job. All claims take the row of the clock and the lock of
 * `NOTIFY`, so this commit does not wait for the disk.
 */
const REPORT_CLAIM: Prepared = {
  name: 'job_report_claim',
  text: `WITH clock AS (UPDATE job_clock c SET turn = j.turn FROM jobs j WHERE j.id = $1 AND c.turn < j.turn)
         SELECT pg_notify('job_changed', $1), set_config('synchronous_commit', 'off', true)`,
};

/** Counts no attempt and does not move the clock: nobody works on the job. */
const SET_ASIDE: Prepared = {
  name: 'job_set_aside',
  text: `WITH aside AS (
           UPDATE jobs SET status = 'processing', lease_token = $2,
                  lease_expires_at = now() + $3::float8 * interval '1 millisecond'
            WHERE id = $1 AND status = 'queued' AND deleted_at IS NULL RETURNING id)
         SELECT pg_notify('job_changed', id) FROM aside`,
};

const RENEW: Prepared = {
  name: 'job_renew',
  text: `UPDATE jobs j SET lease_expires_at = now() + $4::float8 * interval '1 millisecond',
                progress = greatest(j.progress, l.progress)
           FROM unnest($1::text[], $2::text[], $3::real[]) AS l (id, token, progress)
          WHERE j.id = l.id AND j.lease_token = l.token AND j.status = 'processing' RETURNING j.id`,
};

const RELEASE: Prepared = {
  name: 'job_release',
  text: `UPDATE jobs SET status = 'queued', attempts = attempts - 1, progress = 0, lease_token = NULL,
                lease_expires_at = NULL, enqueued_at = NULL, started_at = NULL
          WHERE id = $1 AND lease_token = $2 AND status = 'processing' RETURNING id`,
};

/** Like a release, but counted, so that a job cannot circle forever. */
const GIVE_BACK: Prepared = {
  name: 'job_give_back',
  text: `UPDATE jobs SET status = 'queued', attempts = attempts - 1, machine_faults = machine_faults + 1, progress = 0,
                lease_token = NULL, lease_expires_at = NULL, enqueued_at = NULL, started_at = NULL
          WHERE id = $1 AND lease_token = $2 AND status = 'processing' RETURNING id`,
};

/** Also settles the quota and counts the storage, in the same round trip. */
const COMPLETE: Prepared = {
  name: 'job_complete',
  text: `WITH completed AS (
         UPDATE jobs SET status = 'completed', progress = 1, model = $3::jsonb, device = $4,
                timings = $5::jsonb || jsonb_build_object(
                  'queuedMs', greatest(0, round(extract(epoch FROM started_at - created_at) * 1000)),
                  'totalMs', greatest(0, round(extract(epoch FROM clock_timestamp() - created_at) * 1000))),
                result_key = $6, result_format = $7, result_width = $8, result_height = $9, result_bytes = $10,
                result_sha256 = $11, result_crc32 = $13,
                result_expires_at = now() + least(coalesce(expires_in, $12::float8), $17::float8) * interval '1 second',
                result_applied = $14::jsonb, precision = $16,
                completed_at = now(), lease_token = NULL, lease_expires_at = NULL,
                steps = coalesce($15::jsonb, steps)
          WHERE id = $1 AND lease_token = $2 AND status = 'processing' AND ${IN_TIME}
         RETURNING ${JOB_COLUMNS}),
         committed AS (${commitEnhancementsOf('completed')}),
         stored AS (${addStorageOf('completed')})
         ${withSource('completed')}`,
};

/**
 * A null token (`$2`) is for callers without a lease: the owner who cancels, and the sweeper. A job that no worker has
 * started gives back what is left of its cost, so a thousand canceled jobs delay nothing. It gives back no more than
 * that: otherwise an account could cancel a job to get rid of the cost of those that were run, and come before all
 * others again and again.
 * A single job also moved the batches of its account back.
 * With `$5`, only if the lease is still expired: its worker may have renewed it since the sweeper read it.
 */
const FAIL: Prepared = {
  name: 'job_fail',
  text: `WITH failed AS (
           UPDATE jobs SET status = 'failed', error_code = $3, error_message = $4, completed_at = now(),
                  ${FAILED_EXPIRY}, lease_token = NULL, lease_expires_at = NULL
            WHERE id = $1 AND ($2::text IS NULL OR lease_token = $2) AND status IN ('queued', 'processing')
              AND (NOT $5::boolean OR lease_expires_at < now())
           RETURNING account_id, period, source_pixels, work_pixels, enhancements, claims, batch_id, clock_turn),
         turn AS (
           UPDATE enhancement_usage u
              SET next_turn = CASE WHEN batch_id IS NULL THEN greatest(0, u.next_turn - f.refund) ELSE u.next_turn END,
                  batch_next_turn = greatest(0, u.batch_next_turn - f.refund)
             FROM (SELECT *, ${TURN_REFUND} AS refund FROM failed WHERE claims = 0) f
            WHERE u.account_id = f.account_id AND u.period = f.period)
         SELECT account_id AS "accountId", period, enhancements FROM failed`,
};

const LOST: Prepared = {
  name: 'job_lost',
  text: `SELECT id, attempts, claims, lease_token AS token FROM jobs
          WHERE status = 'processing' AND lease_expires_at < now() ORDER BY lease_expires_at LIMIT $1`,
};

const REQUEUE_LOST: Prepared = {
  name: 'job_requeue_lost',
  text: `UPDATE jobs SET status = 'queued', progress = 0, lease_token = NULL, lease_expires_at = NULL, enqueued_at = NULL
          WHERE id = $1 AND lease_token = $2 AND status = 'processing' AND lease_expires_at < now() RETURNING id`,
};

export interface Lease {
  readonly jobId: string;
  readonly token: string;
}

export interface JobResult {
  readonly key: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Unsigned. */
  readonly crc32?: number;
  readonly applied: AppliedOutput;
}

export interface JobWork {
  /** Of the first step. */
  readonly model: JobModel;
  /** With model and time; null for a job without stored steps. */
  readonly steps: readonly JobStep[] | null;
  readonly device: string;
  /** The lowest of all steps; null when a server ran all of them. */
  readonly precision: Precision | null;
  /** Times measured by the worker; queue time and total are added from the database's clock. */
  readonly timings: Omit<JobTimings, 'queuedMs' | 'totalMs'>;
  readonly result: JobResult;
  readonly retentionSeconds: number;
  /** Upper limit of the retention time that is stored with a job. Default: `retentionSeconds`. */
  readonly maxRetentionSeconds?: number;
}

/** A claimed job. */
export interface Claim {
  /** Number of the attempt, from 1; released attempts do not count. */
  readonly attempt: number;
  /** Number of the claim, from 1. Never repeats. */
  readonly number: number;
}

/**
 * Guarded state transitions of a job: `queued → processing → completed | failed`, `processing → queued` when
 * a worker is lost or drains. Each is one UPDATE whose WHERE names the previous state, so only one of two
 * concurrent transitions succeeds.
 */
@Injectable()
export class JobLeaseRepository {
  constructor(private readonly database: Database) {}

  /**
   * Claims a queued job.
   * @returns undefined when another worker was faster or it is no longer queued
   */
  async claim(lease: Lease, leaseMs: number): Promise<Claim | undefined> {
    const [row] = await this.database.query<{ attempts: number; claims: number }>(CLAIM, [
      lease.jobId,
      lease.token,
      leaseMs,
    ]);
    if (row === undefined) return undefined;
    // If this fails, listeners learn of the job with its next progress; the next claim moves the clock.
    await this.database.query(REPORT_CLAIM, [lease.jobId]).catch(() => undefined);
    return { attempt: row.attempts, number: row.claims };
  }

  /** Claims a queued job in order to end it. False when another process was faster. */
  async setAside(lease: Lease, leaseMs: number): Promise<boolean> {
    return (await this.database.query(SET_ASIDE, [lease.jobId, lease.token, leaseMs])).length === 1;
  }

  /** Renews leases and writes progress; returns the ids that are still held. */
  async renew(leases: readonly (Lease & { progress: number })[], leaseMs: number): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(RENEW, [
      leases.map((lease) => lease.jobId),
      leases.map((lease) => lease.token),
      leases.map((lease) => lease.progress),
      leaseMs,
    ]);
    return new Set(rows.map((row) => row.id));
  }

  /** Releases a job (drain); the attempt does not count. False when the lease is not held. */
  async release(lease: Lease): Promise<boolean> {
    return (await this.database.query(RELEASE, [lease.jobId, lease.token])).length === 1;
  }

  /** Releases a job after a machine fault; the attempt does not count. False when the lease is not held. */
  async requeue(lease: Lease): Promise<boolean> {
    return (await this.database.query(GIVE_BACK, [lease.jobId, lease.token])).length === 1;
  }

  /**
   * Completes a job, makes its enhancements final, and counts the bytes of its result.
   * @returns undefined when the lease is not held; nothing was changed then
   */
  async complete(tx: Queryable, lease: Lease, work: JobWork): Promise<JobWithSource | undefined> {
    const { result } = work;
    const [row] = await tx.query<JobWithSource>(COMPLETE, [
      lease.jobId,
      lease.token,
      JSON.stringify(work.model),
      work.device,
      JSON.stringify(work.timings),
      result.key,
      result.format,
      result.width,
      result.height,
      result.bytes,
      result.sha256,
      work.retentionSeconds,
      result.crc32 ?? null,
      JSON.stringify(result.applied),
      work.steps && JSON.stringify(work.steps),
      work.precision,
      work.maxRetentionSeconds ?? work.retentionSeconds,
    ]);
    return row;
  }

  /**
   * Fails a job.
   * @param token null: whether it is leased or not
   * @returns undefined when the lease is not held, or the job has ended; nothing was changed then
   */
  async fail(
    tx: Queryable,
    jobId: string,
    token: string | null,
    code: ErrorCode,
    message: string | null,
  ): Promise<Reservation | undefined> {
    return this.failed(tx, [jobId, token, code, message, false]);
  }

  /** Fails a job as `worker_lost`, unless its worker has renewed its lease. */
  async failLost(tx: Queryable, { jobId, token }: Lease): Promise<Reservation | undefined> {
    return this.failed(tx, [jobId, token, 'worker_lost' satisfies ErrorCode, null, true]);
  }

  /** Jobs whose worker has not renewed its lease in time. */
  async lost(limit: number): Promise<(WaitingJob & { attempts: number; token: string })[]> {
    return this.database.query<WaitingJob & { attempts: number; token: string }>(LOST, [limit]);
  }

  async requeueLost(lease: Lease): Promise<boolean> {
    return (await this.database.query(REQUEUE_LOST, [lease.jobId, lease.token])).length === 1;
  }

  private async failed(tx: Queryable, values: readonly unknown[]): Promise<Reservation | undefined> {
    return (await tx.query<Reservation>(FAIL, values))[0];
  }
}
