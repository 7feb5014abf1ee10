import { RunNotMade } from '../run-not-made.js';

/** The inference server takes no requests now: it is away, overloaded, or does not answer in time. */
export class ServerUnavailable extends RunNotMade {
  override readonly name = 'ServerUnavailable';

  constructor(
    message: string,
    readonly how: {
      /** What the server asked for with `Retry-After`, milliseconds. */
      readonly retryAfterMs?: number | undefined;
      /** The deadline passed. The item itself may be the reason. */
      readonly isTimeout?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: how.cause });
  }
}

/** The server does not have the model, or not this version of it. */
export class ModelAbsent extends Error {
  override readonly name = 'ModelAbsent';
}

/** The server rejects the request; the same request is rejected again. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** The server failed at the request. Another replica may succeed. */
export class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
}
