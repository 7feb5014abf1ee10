import type { ModelRoute } from '../manifest/model-route.js';

/** A version of an operation's model. */
export interface OperationVersion {
  readonly operation: string;
  readonly version: number;
}

/** A version that was promised to jobs. */
export interface PromisedVersion extends OperationVersion {
  /** Whether jobs accept no other version. */
  readonly isPinned: boolean;
}

/**
 * The result that a client was promised when it created a job. Another version of the model may run the job only if it
 * keeps this promise: a result of another size, or with unrequested transparency, is not what the client requested.
 */
export interface ModelPromise {
  readonly version: number;
  /** Result pixels per source pixel, along each axis. */
  readonly scale: number;
  readonly producesAlpha: boolean;
  /** No other version may run the job, because the client chose this one. */
  readonly pinned?: true;
}

/** Whether running a route keeps a promise. */
export function keepsPromise(route: ModelRoute, promise: ModelPromise): boolean {
  if (promise.pinned === true && route.model.version !== promise.version) return false;
  return route.scale === promise.scale && route.producesAlpha === promise.producesAlpha;
}
