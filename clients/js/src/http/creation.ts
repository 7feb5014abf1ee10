import { ConflictError, GoneError, ImageEnhancementError, NotFoundError } from '../errors.js';
import type { RequestOptions } from '../options.js';
import { Deadline } from './deadline.js';
import { newIdempotencyKey } from './idempotency-key.js';
import type { Transport } from './transport.js';
import { isVerdict, UnacknowledgedAttempts } from './unacknowledged-attempts.js';

/** Time limit for a final request after the caller has stopped waiting. */
const LAST_WORD_MS = 5_000;
const LAST_WORD_RETRIES = 2;

/** What is created, and where. */
export interface Creatable {
  readonly kind: 'job' | 'batch';
  readonly path: string;
  /** JSON, or a form that includes the file. */
  readonly body: object | FormData;
}

/**
 * The creation of a job or a batch, and its cleanup when it is no longer wanted. A request without a response may have
 * created it. Sending the request again with its idempotency key resolves this.
 */
export class Creation<T extends { readonly id: string }> {
  readonly idempotencyKey: string;
  /** Null until the service has returned it. */
  created: T | null = null;
  private readonly unheard = new UnacknowledgedAttempts();

  constructor(
    protected readonly transport: Transport,
    private readonly what: Creatable,
    idempotencyKey: string | undefined,
  ) {
    this.idempotencyKey = idempotencyKey ?? newIdempotencyKey();
  }

  get kind(): Creatable['kind'] {
    return this.what.kind;
  }

  /** Whether something may exist whose id is unknown. */
  get isInDoubt(): boolean {
    return this.created === null && this.unheard.hasAny;
  }

  async run(options: RequestOptions, onResponse?: (response: Response) => void): Promise<T> {
    this.created = await this.transport.json<T>({ ...this.request(), onResponse }, options);
    return this.created;
  }

  /** Finds out whether it exists, if the service can be reached in a short time. Never throws. */
  async find(): Promise<void> {
    if (this.isInDoubt) await lastWord(async (options) => this.ask(options));
  }

  /**
   * Makes sure that nothing remains that could be charged. Never throws.
   * @returns whether that is certain: it never existed, is canceled, or had failed
   */
  async withdraw(): Promise<boolean> {
    if (this.created === null && !this.isInDoubt) return true;
    let isGone = true;
    const isSaid = await lastWord(async (options) => {
      await this.ask(options);
      if (this.created !== null) isGone = await this.cancel(this.created.id, options);
    });
    return isSaid && isGone;
  }

  protected request() {
    const { path, body } = this.what;
    const { idempotencyKey } = this;
    return { method: 'POST', path, body, idempotencyKey, ...this.unheard.watch } as const;
  }

  private async ask(options: RequestOptions): Promise<void> {
    if (!this.isInDoubt) return;
    try {
      await this.run(options);
    } catch (error) {
      // Any other error leaves it open whether it exists. The key identifies it if it does.
      if (!isVerdict(error)) throw error;
      this.unheard.settle();
    }
  }

  /** @returns false if it had completed, and so was paid for */
  private async cancel(id: string, options: RequestOptions): Promise<boolean> {
    const path = `${this.what.path}/${encodeURIComponent(id)}`;
    try {
      await this.transport.json({ method: 'POST', path: `${path}/cancel`, isRepeatable: true }, options);
      return true;
    } catch (error) {
      if (error instanceof GoneError || error instanceof NotFoundError) return true;
      if (!(error instanceof ConflictError)) throw error;
      const { status } = await this.transport.json<{ status: string }>({ method: 'GET', path }, options);
      return status !== 'completed';
    }
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
