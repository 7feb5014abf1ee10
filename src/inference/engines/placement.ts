import type { ExecutionProvider } from './execution-provider.js';

/** Where the stages of one device thread run. */
export interface Placement {
  readonly provider: ExecutionProvider;
  /** Number of the accelerator among those of its kind; undefined = the runtime's default. */
  readonly index?: number | undefined;
  /** Threads inside one CPU run; 0 = one for each core this process may use. */
  readonly threads: number;
  /** Chosen by `auto`: then an engine that has no such provider may take another. */
  readonly isGuess: boolean;
}
