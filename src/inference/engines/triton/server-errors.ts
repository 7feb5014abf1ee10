import { RunNotMade } from '../run-not-made.js';

/** The inference server accepts no requests now: it is unavailable, overloaded, or does not respond in time. */
export class ServerUnavailable extends RunNotMade {
  override readonly name = 'ServerUnavailable';

  constructor(
    message: string,
    readonly how: {
      /** The server's `Retry-After`, milliseconds. */
      readonly retryAfterMs?: number | undefined;
      /** The server took items and gave no response. The items may be the cause. */
      readonly isUnanswered?: boolean;
      /** The deadline of the request passed. */
      readonly isLate?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: how.cause });
  }
}

/** Whether a server took items and gave no response, for which the items may be the cause. */
export function isUnanswered(error: unknown): error is ServerUnavailable {
  return error instanceof ServerUnavailable && error.how.isUnanswered === true;
}

/** The server does not have the model, or not this version. */
export class ModelAbsent extends Error {
  override readonly name = 'ModelAbsent';
}

/** The server's model does not load: it is missing, fails, or differs from the manifest. */
export class UnfitModel extends Error {
  override readonly name = 'UnfitModel';
}

/** The server rejects the request, and would reject it again. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** The server failed while handling the request. Another replica may succeed. */
export class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
}
