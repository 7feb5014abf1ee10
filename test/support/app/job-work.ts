import { createHash, randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { expect } from 'vitest';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobLeaseRepository, type Lease } from '../../../src/jobs/queue/job-lease.repository.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import type { ErrorCode } from '../../../src/kernel/errors/error-codes.js';
import { resultKey } from '../../../src/jobs/result-key.js';
import { TEST_MODEL } from '../../../src/jobs/test-mode/test-model.js';
import { livemodeOf } from '../../../src/kernel/accounts/livemode.js';

const MODEL = { name: 'test', version: 1, sha256: 'ab'.repeat(32) };
const LEASE_MS = 60_000;

/** Advances jobs like the worker, with the worker's own repositories. */
export class JobWork {
  constructor(private readonly app: INestApplicationContext) {}

  /** `queued → processing`. */
  async claim(jobId: string): Promise<Lease> {
    const lease = { jobId, token: randomUUID() };
    expect(await this.app.get(JobLeaseRepository).claim(lease, LEASE_MS)).toBeDefined();
    return lease;
  }

  /** `processing → queued`, as when a worker drains. */
  async release(lease: Lease): Promise<void> {
    expect(await this.app.get(JobLeaseRepository).release(lease)).toBe(true);
  }

  /** Writes progress like a working worker. */
  async progress(lease: Lease, progress: number): Promise<void> {
    await this.app.get(JobLeaseRepository).renew([{ ...lease, progress }], LEASE_MS);
  }

  /** `queued → processing → completed`, with these bytes as the result (a PNG by its name). */
  async complete(jobId: string, bytes: Buffer = Buffer.from('result pixels'), retentionSeconds = 3_600) {
    return this.completeLease(await this.claim(jobId), bytes, retentionSeconds);
  }

  /** `processing → completed`. @returns false when the lease is no longer held */
  async completeLease(
    lease: Lease,
    bytes: Buffer,
    retentionSeconds = 3_600,
    maxRetentionSeconds = retentionSeconds,
  ): Promise<boolean> {
    const key = resultKey(lease.jobId, 1, 'png');
    await this.app.get(ObjectStore).put(key, bytes);
    // The job no longer exists if its account has been erased.
    const job = await this.app.get(JobsRepository).findById(lease.jobId);
    const model = job === undefined || livemodeOf(job.accountId) ? MODEL : TEST_MODEL;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return this.app.get(JobCompletion).complete(lease, {
      model,
      steps: job?.steps?.map((step) => Object.assign(step, { model, inferenceMs: 2 })) ?? null,
      device: 'cpu',
      precision: 'float32',
      timings: { decodeMs: 1, inferenceMs: 2, encodeMs: 3 },
      result: {
        key,
        format: 'png',
        width: 96,
        height: 64,
        bytes: bytes.length,
        sha256,
        applied: { kind: 'image', metadata: 'strip' },
      },
      retentionSeconds,
      maxRetentionSeconds,
    });
  }

  /** `queued → processing → failed`. */
  async fail(jobId: string, code: ErrorCode = 'processing_failed', message: string | null = null) {
    const { token } = await this.claim(jobId);
    expect(await this.app.get(JobCompletion).fail(jobId, token, code, message)).toBe(true);
  }
}
