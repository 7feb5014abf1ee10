import type { ExecutionProvider } from './execution-provider.js';
import type { PrecisionChoice } from './precision.js';

/** Where the stages of one device thread run. */
export interface Placement {
  readonly provider: ExecutionProvider;
  /** Index of the accelerator among those of its kind; undefined: the runtime's default. */
  readonly index?: number | undefined;
  /** Threads of one CPU run; 0: one for each core available to this process. */
  readonly threads: number;
  /** Whether `auto` chose the provider, so that an engine without it may use another one. */
  readonly isGuess: boolean;
  /** Default: `auto`. */
  readonly precision?: PrecisionChoice | undefined;
}
