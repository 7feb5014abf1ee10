import type { RemoteFault } from '../check/verdict.js';

/** Why a version cannot serve. */
export interface ModelFault {
  /** Completes "… is not served: ", without a period. */
  readonly reason: string;
  /** Whether the cause is temporary, such as too little memory or time. The next worker then retries the version. */
  readonly isTransient: boolean;
  /** The state of an inference server that the reason describes. The version is retried soon. */
  readonly remote?: RemoteFault | undefined;
}

/** Whether the model on an inference server may be at fault, so that it is refused, and tried ever more rarely. */
export function isFaultOfModel({ remote }: ModelFault): boolean {
  return remote === 'unfit' || remote === 'late';
}
