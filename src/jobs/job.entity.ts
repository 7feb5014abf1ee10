import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JobRetention } from './creation/job-retention.js';
import type { ErrorCode } from '../kernel/errors/error-codes.js';
import type { ImageFormat, JobStatus, Level } from '../kernel/operations.js';
import type { AppliedOutput } from '../kernel/output-options.js';
import type { JobOutput } from './job-output.js';
import type { JobStep, StepColumns } from './job-step.js';

export interface JobModel {
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
}

/** Of the numbers that networks compute with. */
export type Precision = 'float32' | 'float16' | 'int8';

export interface JobTimings {
  readonly queuedMs: number;
  readonly decodeMs: number;
  readonly inferenceMs: number;
  readonly encodeMs: number;
  readonly totalMs: number;
}

const asNumber = {
  to: (value: number | null): number | null => value,
  from: (value: string | null): number | null => (value === null ? null : Number(value)),
};

@Entity('jobs')
export class JobEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'account_id' })
  accountId: string;

  @Column('text', { name: 'source_id' })
  sourceId: string;

  /** Of the first step, like `level`. */
  @Column('text')
  operation: string;

  @Column('text')
  level: Level;

  @Column('jsonb')
  output: JobOutput;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** What the model promised at creation; null for older jobs. See `stepsOf` for jobs with steps. */
  @Column('jsonb', { nullable: true })
  promise: StepColumns['promise'];

  /** Null: one step without options. Read it with `stepsOf`. */
  @Column('jsonb', { nullable: true })
  steps: readonly JobStep[] | null;

  /** Enhancements taken from the quota: one for each step. */
  @Column('integer', { default: 1 })
  enhancements: number;

  /** Pixels read by all steps; null: those of the source. */
  @Column('bigint', { name: 'work_pixels', nullable: true, transformer: asNumber })
  workPixels: number | null;

  /** Name of the preset that the client asked for. */
  @Column('text', { nullable: true })
  preset: string | null;

  @Column('text')
  status: JobStatus;

  /** 0–1. */
  @Column('real', { default: 0 })
  progress: number;

  /** Number of attempts, counted before decoding. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** Number of claims, including those that were released. Never decreases. */
  @Column('integer', { default: 0 })
  claims: number;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode: ErrorCode | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage: string | null;

  @Column('jsonb', { nullable: true })
  model: JobModel | null;

  @Column('text', { nullable: true })
  device: string | null;

  /** The lowest precision of its networks; null when a server ran all of them, and for older jobs. */
  @Column('text', { nullable: true })
  precision?: Precision | null;

  @Column('jsonb', { nullable: true })
  timings: JobTimings | null;

  @Column('integer', { name: 'source_pixels' })
  sourcePixels: number;

  /** The month its enhancement was taken from, `YYYY-MM`. */
  @Column('text')
  period: string;

  @Column('text', { name: 'result_key', nullable: true })
  resultKey: string | null;

  @Column('text', { name: 'result_format', nullable: true })
  resultFormat: ImageFormat | null;

  @Column('integer', { name: 'result_width', nullable: true })
  resultWidth: number | null;

  @Column('integer', { name: 'result_height', nullable: true })
  resultHeight: number | null;

  @Column('bigint', { name: 'result_bytes', nullable: true, transformer: asNumber })
  resultBytes: number | null;

  @Column('text', { name: 'result_sha256', nullable: true })
  resultSha256: string | null;

  /** Of the stored bytes, for archives; null for results of earlier versions. */
  @Column('bigint', { name: 'result_crc32', nullable: true, transformer: asNumber })
  resultCrc32: number | null;

  @Column('timestamptz', { name: 'result_expires_at', nullable: true })
  resultExpiresAt: Date | null;

  @Column('timestamptz', { name: 'result_erased_at', nullable: true })
  resultErasedAt: Date | null;

  /** What was done to the result besides its operations; null for older results. */
  @Column('jsonb', { name: 'result_applied', nullable: true })
  resultApplied: AppliedOutput | null;

  /** Virtual start time in the queue (see FairQueueRepository), an integer as text. */
  @Column('bigint', { default: 0 })
  turn: string;

  /**
   * The same place on the clock of the queue, which is ahead of `turn` where workers serve different operations (see
   * `turnPlace`). Null for jobs of earlier versions.
   */
  @Column('bigint', { name: 'clock_turn', nullable: true })
  clockTurn: string | null;

  /** How often the job was returned because of machine faults. */
  @Column('integer', { name: 'machine_faults', default: 0 })
  machineFaults: number;

  /** The trace in which it was created, as a `traceparent` header. */
  @Column('text', { nullable: true })
  traceparent: string | null;

  /** The batch that the job belongs to, if any. */
  @Column('text', { name: 'batch_id', nullable: true })
  batchId: string | null;

  /** Position of its source in the request of the batch, from 0. */
  @Column('integer', { name: 'batch_index', nullable: true })
  batchIndex: number | null;

  /** The job that a retry of the batch replaced this one with. */
  @Column('text', { name: 'retried_as', nullable: true })
  retriedAs: string | null;

  /** The holder of this token may end the job; a new claim replaces it. */
  @Column('text', { name: 'lease_token', nullable: true })
  leaseToken: string | null;

  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt: Date | null;

  @Column('timestamptz', { name: 'enqueued_at', nullable: true })
  enqueuedAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;

  /** True for a job that was completed at creation, with the result of an equal one. */
  @Column('boolean', { nullable: true })
  cached?: boolean | null;

  /** Called when the job has ended. */
  @Column('text', { name: 'callback_url', nullable: true })
  callbackUrl?: string | null;

  /** The job is canceled if it has not ended by this time. */
  @Column('timestamptz', { name: 'cancel_at', nullable: true })
  cancelAt?: Date | null;

  /** `account_suspended`; null: as its client wished. Not read with the other columns. */
  @Column('text', { name: 'cancel_reason', nullable: true, select: false })
  cancelReason?: string | null;

  /** Seconds that the result is kept; null: as long as the service keeps results. */
  @Column('integer', { name: 'expires_in', nullable: true })
  expiresIn?: number | null;

  @Column('text', { nullable: true })
  retention?: JobRetention | null;

  /** How many bytes from the start of the result readers were sent; counted only with a `retention`. */
  @Column('bigint', { name: 'delivered_bytes', nullable: true, select: false })
  deliveredBytes?: string | null;

  /** Which key created it, for jobs without a ledger row: the others have it there. */
  @Column('text', { name: 'key_id', nullable: true, select: false })
  keyId?: string | null;

  /** See `requestHash`; null for older jobs. Not read with the other columns. */
  @Column('bytea', { name: 'request_hash', nullable: true, select: false })
  requestHash?: Buffer | null;
}

/** Columns of a job with the names of the entity, for raw SQL. */
export const JOB_COLUMNS = `
  id, account_id AS "accountId", source_id AS "sourceId", operation, level, output, metadata, promise, steps,
  enhancements, work_pixels::float8 AS "workPixels", preset, status, progress,
  attempts, claims, machine_faults AS "machineFaults", error_code AS "errorCode", error_message AS "errorMessage", model, device, precision, timings,
  source_pixels AS "sourcePixels", period, result_key AS "resultKey", result_format AS "resultFormat",
  result_width AS "resultWidth", result_height AS "resultHeight", result_bytes::float8 AS "resultBytes",
  result_sha256 AS "resultSha256", result_crc32::float8 AS "resultCrc32", result_expires_at AS "resultExpiresAt", result_erased_at AS "resultErasedAt", result_applied AS "resultApplied",
  lease_token AS "leaseToken", lease_expires_at AS "leaseExpiresAt", enqueued_at AS "enqueuedAt",
  batch_id AS "batchId", batch_index AS "batchIndex", retried_as AS "retriedAs",
  turn, traceparent, created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt", deleted_at AS "deletedAt", cached,
  callback_url AS "callbackUrl", cancel_at AS "cancelAt", expires_in AS "expiresIn", retention`;
