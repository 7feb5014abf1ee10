import type { Setting } from '../../config/settings-in-force.js';

/** Properties that a worker reports about itself once. */
export interface WorkerTraits {
  /** Version of the service. */
  readonly version: string;
  /** Precision of its models, for example `float32`. */
  readonly precision: string;
  /** Whether a supervisor restarts the worker when it exits. Kubernetes, for example, does so without its knowledge. */
  readonly supervised: boolean;
  /**
   * Bytes that one job may use on its scratch disk while that is empty. Absent if the disk could not be read at the
   * start.
   */
  readonly scratchBytes?: number;
  /** Settings that are not the default. */
  readonly settings: readonly Setting[];
}
