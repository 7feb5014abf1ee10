import type { Setting } from '../../config/settings-in-force.js';

/** Properties that a worker reports about itself. */
export interface WorkerTraits {
  /** Version of the service. */
  readonly version: string;
  /** Precision of its models, for example `float32`. */
  readonly precision: string;
  /** Whether a supervisor restarts the worker when it exits. Kubernetes, for example, does so without its knowledge. */
  readonly supervised: boolean;
  /**
   * Bytes that one job may use on its scratch disk while that is empty. Renewed with each heartbeat, because a disk can
   * be resized. Absent until the disk could be read.
   */
  readonly scratchBytes?: number;
  /** Settings that are not the default. */
  readonly settings: readonly Setting[];
}

/** Traits that may change while a worker runs. */
export type ChangingTraits = Pick<WorkerTraits, 'scratchBytes'>;
