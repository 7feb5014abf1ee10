import { ConnectionError } from '../errors.js';

/** Maximum silence. The service sends a keep-alive every 15 seconds. */
const SILENCE_MS = 45_000;

/** Aborts its signal when the outer one is aborted, when the response begins too late, or when it falls silent. */
export class Silence {
  /** The error, if the cause was silence. */
  failure: ConnectionError | undefined;
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onAbort = () => this.controller.abort(this.outer?.reason);

  /** @param beginMs maximum wait for the beginning of the response, if it is less than the maximum silence */
  constructor(
    private readonly outer: AbortSignal | undefined,
    beginMs: number,
  ) {
    outer?.addEventListener('abort', this.onAbort, { once: true });
    if (outer?.aborted === true) this.onAbort();
    this.await(Math.min(beginMs, SILENCE_MS));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  heard(): void {
    clearTimeout(this.timer);
    this.await(SILENCE_MS);
  }

  private await(limitMs: number): void {
    this.timer = setTimeout(() => {
      this.failure = new ConnectionError('The service went silent.');
      this.controller.abort(this.failure);
    }, limitMs);
  }

  /** Also closes a connection that is still open. */
  release(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }
}
