import { ConflictError, GoneError, ImageEnhancementError, NotFoundError } from '../errors.js';
import type { CreateJob, Job } from '../generated/schema.js';
import { Deadline } from '../http/deadline.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import type { Transport } from '../http/transport.js';
import { isVerdict, UnacknowledgedAttempts } from '../http/unacknowledged-attempts.js';
import type { RequestOptions } from '../options.js';

/** For a last word to the service on behalf of somebody who has stopped waiting. */
const LAST_WORD_MS = 5_000;
const LAST_WORD_RETRIES = 2;

/**
 * The creation of one job, and what must be done about it when nobody wants it any more. A request that was sent and
 * not answered may have created the job: sent again with its idempotency key, it tells which.
 */
export class JobCreation {
  readonly idempotencyKey: string;
  /** Null until the service has told it. */
  job: Job | null = null;
  private readonly unheard = new UnacknowledgedAttempts();

  constructor(
    private readonly transport: Transport,
    private readonly order: CreateJob,
    idempotencyKey: string | undefined,
  ) {
    this.idempotencyKey = idempotencyKey ?? newIdempotencyKey();
  }

  /** Whether there may be a job that nobody here knows. */
  get isInDoubt(): boolean {
    return this.job === null && this.unheard.hasAny;
  }

  async run(options: RequestOptions, onResponse?: (response: Response) => void): Promise<Job> {
    this.job = await this.send(options, onResponse);
    return this.job;
  }

  /** Ends the doubt, if the service can be reached for a moment. Throws nothing. */
  async find(): Promise<void> {
    if (this.isInDoubt) await lastWord(async (options) => this.ask(options));
  }

  /**
   * Sees to it that there is no job, and so nothing to pay. Throws nothing.
   * @returns whether that is certain: it never was, is canceled, or had ended before
   */
  async withdraw(): Promise<boolean> {
    if (this.job === null && !this.isInDoubt) return true;
    return lastWord(async (options) => {
      await this.ask(options);
      if (this.job !== null) await cancel(this.transport, this.job.id, options);
    });
  }

  private async ask(options: RequestOptions): Promise<void> {
    if (!this.isInDoubt) return;
    try {
      await this.run(options);
    } catch (error) {
      // Anything else leaves it open; the key leads to the job, if there is one.
      if (!isVerdict(error)) throw error;
      this.unheard.settle();
    }
  }

  private send(options: RequestOptions, onResponse?: (response: Response) => void): Promise<Job> {
    const { order: body, idempotencyKey } = this;
    const request = {
      method: 'POST',
      path: '/ai/enhance',
      body,
      idempotencyKey,
      onResponse,
      ...this.unheard.watch,
    } as const;
    return this.transport.json(request, options);
  }
}

async function cancel(transport: Transport, id: string, options: RequestOptions): Promise<void> {
  const path = `/ai/enhance/${encodeURIComponent(id)}/cancel`;
  try {
    await transport.json({ method: 'POST', path, isRepeatable: true }, options);
  } catch (error) {
    const hasEnded =
      error instanceof ConflictError || error instanceof GoneError || error instanceof NotFoundError;
    if (!hasEnded) throw error;
  }
}

/** @returns whether it was said and understood, in the time that a last word may take */
async function lastWord(say: (options: RequestOptions) => Promise<void>): Promise<boolean> {
  const deadline = new Deadline(LAST_WORD_MS, undefined);
  try {
    await say({ signal: deadline.signal, maxRetries: LAST_WORD_RETRIES });
    return true;
  } catch (error) {
    if (deadline.isOver || error instanceof ImageEnhancementError) return false;
    throw error;
  } finally {
    deadline.release();
  }
}
