import { ConflictError } from '../errors.js';
import type { CreateJob, Job, JobList } from '../generated/schema.js';
import { deleteOnce } from '../http/delete-once.js';
import type { Transport } from '../http/transport.js';
import type { CreateOptions, RequestOptions } from '../options.js';
import { List } from '../page.js';
import { abandon } from './abandon.js';
import { HeldConnections } from './held-connections.js';
import { JobCreation } from './job-creation.js';
import { waitForJob, type WaitOptions } from './wait-for-job.js';

export interface ListJobsQuery {
  /** Jobs a page, 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: Job['status'] | undefined;
  readonly operation?: string | undefined;
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
   * Creates a job for an uploaded source. It is queued; `wait` waits for its end. When the signal is aborted while the
   * request is on its way, the job it may have created is canceled.
   */
  async create(order: CreateJob, options: CreateOptions = {}): Promise<Job> {
    const creation = new JobCreation(this.transport, order, options.idempotencyKey);
    try {
      return await creation.run(options);
    } catch (error) {
      if (options.signal?.aborted === true) return abandon(creation, options.signal);
      throw error;
    }
  }

  get(id: string, options: RequestOptions = {}): Promise<Job> {
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

  /** Cancels a job that has not ended; it costs nothing. @throws ConflictError when it has ended */
  async cancel(id: string, options: RequestOptions = {}): Promise<Job> {
    const request = { method: 'POST', path: `${pathOf(id)}/cancel`, isRepeatable: true } as const;
    try {
      return await this.transport.json(request, options);
    } catch (error) {
      // The answer to an earlier attempt may have been lost: then it is canceled, as was asked.
      if (!(error instanceof ConflictError)) throw error;
      const job = await this.get(id, options);
      if (job.error?.code !== 'canceled') throw error;
      return job;
    }
  }

  /** Deletes a job, canceled if needed; its result is erased at once. */
  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await deleteOnce(this.transport, pathOf(id), options);
  }
}

const pathOf = (id: string): string => `/ai/enhance/${encodeURIComponent(id)}`;
