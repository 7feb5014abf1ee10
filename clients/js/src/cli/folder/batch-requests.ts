import { ConflictError, type ImageEnhancementError } from '../../errors.js';
import { throwIfAborted } from '../../http/throw-if-aborted.js';
import { didNothing, isVerdict } from '../../http/unacknowledged-attempts.js';
import type { BatchOrder } from '../../jobs/order.js';
import type { ImageEnhancement } from '../../node.js';
import type { RequestOptions } from '../../options.js';
import type { CommandLine } from '../arguments.js';
import { findCreatedBatch, MissingBatchError } from './created-batch.js';
import type { FolderJournal, JournaledBatch } from './journal.js';

/** How long the service remembers an idempotency key, minus an hour. */
const KEY_LIFETIME_MS = 23 * 3_600_000;

/** The requests that create and retry the batches of a run. They have the same effect once, however often they run. */
export class BatchRequests {
  private readonly inDoubt = new Set<string>();

  constructor(
    private readonly client: ImageEnhancement,
    private readonly line: CommandLine,
    private readonly journal: FolderJournal,
  ) {}

  /** Whether this run may have created a batch whose id it does not know. */
  mayHaveCreated(key: string): boolean {
    return this.inDoubt.has(key);
  }

  /**
   * Creates a batch, unless an earlier request has, and records its id.
   * @returns the id
   * @throws MissingBatchError
   */
  async create(key: string, batch: JournaledBatch, options: RequestOptions): Promise<string> {
    const isOld = Date.now() - batch.sentAtMs > KEY_LIFETIME_MS;
    const known = isOld ? await this.find(batch, options) : undefined;
    const id = known ?? (await this.created(key, batch, options));
    await this.journal.noteBatch(key, { id });
    return id;
  }

  private find(batch: JournaledBatch, options: RequestOptions): Promise<string | undefined> {
    return findCreatedBatch(this.client, this.journal, batch, options);
  }

  private async created(key: string, batch: JournaledBatch, options: RequestOptions): Promise<string> {
    const { terms, sourceUrls } = batch;
    const order = { ...this.line.work.order, ...terms, sourceUrls } as BatchOrder;
    throwIfAborted(options.signal);
    const wasInDoubt = this.inDoubt.has(key);
    this.inDoubt.add(key);
    try {
      const { id } = await this.client.batches.create(order, { ...options, idempotencyKey: key });
      this.inDoubt.delete(key);
      return id;
    } catch (error) {
      if (isMismatch(error)) return this.otherwiseCreated(key, batch, error, options);
      if (isVerdict(error) || (!wasInDoubt && didNothing(error))) this.inDoubt.delete(key);
      throw error;
    }
  }

  /** The batch that a different request with the same key has created. */
  private async otherwiseCreated(
    key: string,
    batch: JournaledBatch,
    error: unknown,
    options: RequestOptions,
  ): Promise<string> {
    const id = await this.find(batch, options);
    this.inDoubt.delete(key);
    if (id === undefined) throw new MissingBatchError(error);
    return id;
  }

  /** Cancels everything in a batch that has not ended. Records that first, because the response may be lost. */
  async cancel(key: string, batch: JournaledBatch, id: string, options: RequestOptions): Promise<void> {
    const { isCanceled = false, retries = 0 } = batch;
    // A retry of a canceled batch may have been sent, so the next one needs another key.
    await this.journal.noteBatch(key, { isCanceled: true, retries: isCanceled ? retries + 1 : retries });
    await this.client.batches.cancel(id, options).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
    });
  }

  /** Retries a batch that was canceled by an interrupt. After a mismatch, another retry with the key was accepted. */
  async retry(key: string, { id, retries = 0 }: JournaledBatch, options: RequestOptions): Promise<void> {
    try {
      const idempotencyKey = `${key}-retry-${retries}`;
      await this.client.batches.retry(id!, { includeCanceled: true }, { ...options, idempotencyKey });
    } catch (error) {
      const isRetried = isMismatch(error) || (error as ImageEnhancementError).code === 'nothing_to_retry';
      if (!isRetried) throw error;
    }
    await this.journal.noteBatch(key, { isCanceled: false, retries: retries + 1 });
  }
}

/** Whether an error of `create` proves that there is no such batch. */
export function provesNoBatch(error: unknown): boolean {
  return isVerdict(error) || error instanceof MissingBatchError;
}

function isMismatch(error: unknown): boolean {
  return (error as ImageEnhancementError).code === 'idempotency_mismatch';
}
