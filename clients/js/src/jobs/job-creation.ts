import { ConflictError, GoneError, ImageEnhancementError, NotFoundError } from '../errors.js';
import type { Job } from '../generated/schema.js';
import { Deadline } from '../http/deadline.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import type { Transport } from '../http/transport.js';
import { isVerdict, UnacknowledgedAttempts } from '../http/unacknowledged-attempts.js';
import type { RequestOptions } from '../options.js';
import type { JobOrder } from './order.js';

/** Time limit for a final request after the caller has stopped waiting. */
const LAST_WORD_MS = 5_000;
const LAST_WORD_RETRIES = 2;

/** Seconds that the service is asked to wait for the image: below the idle timeout of common proxies. */
const HOLD_SECONDS = 25;
/** Timeout of a request that uploads the file and returns the image. */
const IMAGE_TIMEOUT_MS = 300_000;

/**
 * The creation of one job, and its cleanup when the job is no longer wanted. A request without a response may have
 * created the job. Sending it again with its idempotency key resolves this.
 */
export class JobCreation {
  readonly idempotencyKey: string;
  /** Null until the service has returned it. */
  job: Job | null = null;
  private readonly unheard = new UnacknowledgedAttempts();

  constructor(
    private readonly transport: Transport,
    /** JSON, or a form that includes the file. */
    private readonly order: JobOrder | FormData,
    idempotencyKey: string | undefined,
  ) {
    this.idempotencyKey = idempotencyKey ?? newIdempotencyKey();
  }

  /** Whether a job may exist whose id is unknown. */
  get isInDoubt(): boolean {
    return this.job === null && this.unheard.hasAny;
  }

  async run(options: RequestOptions, onResponse?: (response: Response) => void): Promise<Job> {
    this.job = await this.send(options, onResponse);
    return this.job;
  }

  /**
   * Creates the job and reads its image from the response, if that is ready in time.
   * @returns the id of the job if it is not
   */
  async runForImage(options: RequestOptions): Promise<Uint8Array<ArrayBuffer> | string> {
    const headers = { accept: 'image/*', prefer: `wait=${HOLD_SECONDS}` };
    const patient = { timeoutMs: IMAGE_TIMEOUT_MS, ...options };
    return this.transport.send({ ...this.request(), headers }, patient, async (response) => {
      const isImage = response.headers.get('content-type')?.startsWith('image/') === true;
      if (isImage) return new Uint8Array(await response.arrayBuffer());
      this.job = (await response.json()) as Job;
      return this.job.id;
    });
  }

  /** Finds out whether the job exists, if the service can be reached in a short time. Never throws. */
  async find(): Promise<void> {
    if (this.isInDoubt) await lastWord(async (options) => this.ask(options));
  }

  /**
   * Makes sure that no job remains that could be charged. Never throws.
   * @returns whether that is certain: the job never existed, is canceled, or had already ended
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
      // Any other error leaves it open whether the job exists. The key identifies the job if it does.
      if (!isVerdict(error)) throw error;
      this.unheard.settle();
    }
  }

  private send(options: RequestOptions, onResponse?: (response: Response) => void): Promise<Job> {
    return this.transport.json({ ...this.request(), onResponse }, options);
  }

  private request() {
    const { order: body, idempotencyKey } = this;
    return { method: 'POST', path: '/ai/enhance', body, idempotencyKey, ...this.unheard.watch } as const;
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

/** @returns whether the request succeeded within the time limit for a final request */
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
