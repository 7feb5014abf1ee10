import type { ModelRoute } from '../manifest/model-route.js';

/** A version of an operation's model. */
export interface OperationVersion {
  readonly operation: string;
  readonly version: number;
}

/**
 * What a client was told a job will do when it was created. Another version of the model may run the job only if it
 * keeps to this: a result of another size, or with transparency nobody asked for, is not what was ordered.
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
