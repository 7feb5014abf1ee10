import type { Setting } from '../../config/settings-in-force.js';

/** What a worker reports about itself once. */
export interface WorkerTraits {
  /** Of the service. */
  readonly version: string;
  /** Precision of its models, for example `float32`. */
  readonly precision: string;
  /** Whether a supervisor starts it again when it ends. Others, such as Kubernetes, do so without its knowledge. */
  readonly supervised: boolean;
  /** Settings that are not the default. */
  readonly settings: readonly Setting[];
}
