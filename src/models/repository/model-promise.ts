import type { ModelRoute } from '../manifest/model-route.js';

/** A version of an operation's model. */
export interface OperationVersion {
  readonly operation: string;
  readonly version: number;
}

/**
 * The result that a client was promised when it created a job. Another version of the model may run the job only if it
 * keeps this promise: a result of another size, or with unrequested transparency, is not what the client ordered.
 */
export interface ModelPromise {
  readonly version: number;
  /** Result pixels per source pixel, along each axis. */
  readonly scale: number;
  readonly producesAlpha: boolean;
}

/** Whether running a route keeps a promise. */
export function keepsPromise(route: ModelRoute, promise: ModelPromise): boolean {
  return route.scale === promise.scale && route.producesAlpha === promise.producesAlpha;
}
