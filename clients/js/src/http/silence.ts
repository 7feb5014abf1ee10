import { ConnectionError } from '../errors.js';

/** Maximum silence. The service sends a keep-alive every 15 seconds. */
const SILENCE_MS = 45_000;

/** Aborts its signal when the outer one is aborted, or when nothing arrives for too long. */
export class Silence {
  /** The error, if the cause was silence. */
  failure: ConnectionError | undefined;
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onAbort = () => this.controller.abort(this.outer?.reason);

  constructor(private readonly outer: AbortSignal | undefined) {
    outer?.addEventListener('abort', this.onAbort, { once: true });
    if (outer?.aborted === true) this.onAbort();
    this.heard();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.failure = new ConnectionError('The service went silent.');
      this.controller.abort(this.failure);
    }, SILENCE_MS);
  }

  /** Also closes a connection that is still open. */
  release(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }
}
