import { ConflictError } from '../errors.js';
import type { DryRun, Job, JobList } from '../generated/schema.js';
import { createOrAbandon } from '../http/abandon.js';
import { ApiPromise } from '../http/api-promise.js';
import { deleteOnce } from '../http/delete-once.js';
import type { Transport } from '../http/transport.js';
import type { CreateOptions, RequestOptions } from '../options.js';
import { List } from '../page.js';
import { HeldConnections } from './held-connections.js';
import { JobCreation } from './job-creation.js';
import type { JobOrder } from './order.js';
import { waitForJob, type WaitOptions } from './wait-for-job.js';

export interface ListJobsQuery {
  /** Jobs per page, 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: Job['status'] | undefined;
  readonly operation?: string | undefined;
  /** Only jobs of this batch. */
  readonly batchId?: string | undefined;
  readonly createdAfter?: Date | string | undefined;
  readonly createdBefore?: Date | string | undefined;
}

/** Enhancement jobs. */
export class Jobs {
  private readonly connections: HeldConnections;

  constructor(private readonly transport: Transport) {
    this.connections = new HeldConnections(transport.platform.maxHeldConnections);
  }

  /**
   * Creates a job for an uploaded source. The job is queued; `wait` waits for its end. When the signal is aborted while
   * the request is in progress, a job that it may have created is canceled.
   */
  create(order: JobOrder, options: CreateOptions = {}): ApiPromise<Job> {
    return ApiPromise.of(async (onResponse) => {
      const creation = new JobCreation(this.transport, order, options.idempotencyKey);
      return createOrAbandon(creation, options, onResponse);
    });
  }

  /** The cost, duration, and output of a job. Creates nothing; throws the same errors as `create`. */
  dryRun(order: JobOrder, options: RequestOptions = {}): ApiPromise<DryRun> {
    const body = { ...order, dryRun: true };
    return this.transport.json({ method: 'POST', path: '/ai/enhance', body, isRepeatable: true }, options);
  }

  get(id: string, options: RequestOptions = {}): ApiPromise<Job> {
    return this.transport.json({ method: 'GET', path: pathOf(id) }, options);
  }

  /** Newest first. */
  list(query: ListJobsQuery = {}, options: RequestOptions = {}): List<Job> {
    return new List((cursor) =>
      this.transport.json<JobList>(
        { method: 'GET', path: '/ai/enhance', query: { ...query, cursor: cursor ?? query.cursor } },
        options,
      ),
    );
  }

  /**
   * Waits until the job has completed.
   * @throws JobFailedError when it fails, TimeoutError when it takes longer than `timeoutMs`
   */
  wait(id: string, options: WaitOptions = {}): Promise<Job> {
    return waitForJob(this.transport, this.connections, id, options);
  }

  /** Cancels a job that has not ended. It costs nothing. @throws ConflictError when it has ended */
  cancel(id: string, options: RequestOptions = {}): ApiPromise<Job> {
    return ApiPromise.of(async (onResponse) => {
      const path = pathOf(id);
      try {
        const request = { method: 'POST', path: `${path}/cancel`, isRepeatable: true, onResponse } as const;
        return await this.transport.json<Job>(request, options);
      } catch (error) {
        // The response to an earlier attempt may have been lost: then the job is canceled, as requested.
        if (!(error instanceof ConflictError)) throw error;
        const job = await this.transport.json<Job>({ method: 'GET', path, onResponse }, options);
        if (job.error?.code !== 'canceled') throw error;
        return job;
      }
    });
  }

  /**
   * Deletes a job and erases its result immediately, with `retention: 'deliver'` its source, too. Cancels the job first
   * if necessary.
   */
  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await deleteOnce(this.transport, pathOf(id), options);
  }
}

const pathOf = (id: string): string => `/ai/enhance/${encodeURIComponent(id)}`;
