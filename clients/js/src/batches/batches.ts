import { ConflictError } from '../errors.js';
import type {
  Batch,
  BatchDetail,
  BatchDryRun,
  BatchList,
  BatchWithSkipped,
  Job,
  JobList,
  RetryBatch,
} from '../generated/schema.js';
import { createOrAbandon } from '../http/abandon.js';
import { ApiPromise } from '../http/api-promise.js';
import { Creation } from '../http/creation.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import type { Transport } from '../http/transport.js';
import type { BatchOrder } from '../jobs/order.js';
import type { CreateOptions, RequestOptions } from '../options.js';
import { List } from '../page.js';
import { BatchResults } from './batch-results.js';
import { waitForBatch, type BatchWaitOptions } from './wait-for-batch.js';

/** Which items of a batch to list. */
export interface ListItemsQuery {
  /** Jobs per page, 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: Job['status'] | undefined;
}

/** Batches: the same request for up to 1,000 sources. */
export class Batches {
  constructor(private readonly transport: Transport) {}

  /**
   * Creates one job for each source, or none at all. When the signal is aborted while the request is in progress, a
   * batch that it may have created is canceled.
   * @throws InvalidRequestError, whose `fieldErrors` identify bad items by their index (`sourceUrls.17`)
   */
  create(order: BatchOrder, options: CreateOptions = {}): ApiPromise<BatchWithSkipped> {
    return ApiPromise.of(async (onResponse) => {
      const what = { kind: 'batch', path: PATH, body: order } as const;
      const creation = new Creation<BatchWithSkipped>(this.transport, what, options.idempotencyKey);
      return createOrAbandon(creation, options, onResponse);
    });
  }

  /** The cost and duration of a batch. Creates nothing; throws the same errors as `create`. */
  dryRun(order: BatchOrder, options: RequestOptions = {}): ApiPromise<BatchDryRun> {
    const body = { ...order, dryRun: true };
    return this.transport.json({ method: 'POST', path: PATH, body, isRepeatable: true }, options);
  }

  get(id: string, options: RequestOptions = {}): ApiPromise<BatchDetail> {
    return this.transport.json({ method: 'GET', path: pathOf(id) }, options);
  }

  /** Newest first. */
  list(
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
    options: RequestOptions = {},
  ): List<Batch> {
    return new List((cursor) =>
      this.transport.json<BatchList>(
        { method: 'GET', path: PATH, query: { ...query, cursor: cursor ?? query.cursor } },
        options,
      ),
    );
  }

  /** The jobs of a batch, in the order of its sources. After a retry, lists the new jobs. */
  items(id: string, query: ListItemsQuery = {}, options: RequestOptions = {}): List<Job> {
    const path = `${pathOf(id)}/jobs`;
    return new List((cursor) =>
      this.transport.json<JobList>(
        { method: 'GET', path, query: { ...query, cursor: cursor ?? query.cursor } },
        options,
      ),
    );
  }

  /**
   * Waits until every item has ended. Failed items do not cause an error: see `counts` and `failures`.
   * @throws TimeoutError when it takes longer than `timeoutMs`
   */
  wait(id: string, options: BatchWaitOptions = {}): Promise<BatchDetail> {
    return waitForBatch(this.transport, id, options);
  }

  /** Cancels the items that have not ended. They cost nothing. @throws ConflictError when all have ended */
  cancel(id: string, options: RequestOptions = {}): ApiPromise<Batch> {
    return ApiPromise.of(async (onResponse) => {
      const path = pathOf(id);
      try {
        const request = { method: 'POST', path: `${path}/cancel`, isRepeatable: true, onResponse } as const;
        return await this.transport.json<Batch>(request, options);
      } catch (error) {
        // The response to an earlier attempt may have been lost: then the batch is canceled, as requested.
        if (!(error instanceof ConflictError)) throw error;
        const batch = await this.transport.json<BatchDetail>({ method: 'GET', path, onResponse }, options);
        if (batch.status !== 'canceled') throw error;
        return batch;
      }
    });
  }

  /**
   * Creates a new job for each failed item, and for canceled ones with `includeCanceled`.
   * @throws ConflictError when there is nothing to retry
   */
  retry(id: string, body: RetryBatch = {}, options: CreateOptions = {}): ApiPromise<BatchWithSkipped> {
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    const path = `${pathOf(id)}/retry`;
    return this.transport.json({ method: 'POST', path, body, idempotencyKey }, options);
  }

  /** The results of a batch that has ended, as one ZIP archive. This call sends no request. */
  results(id: string): BatchResults {
    return new BatchResults(this.transport, `${pathOf(id)}/results.zip`);
  }
}

const PATH = '/ai/batches';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
