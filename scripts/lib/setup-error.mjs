import { isInterrupted } from './cleanup.mjs';
import { Interruption } from './interruption.mjs';

/** Something that prevents the setup. The message tells the user what to do. */
export class SetupError extends Error {
  name = 'SetupError';

  /** @param {number} [exitCode] 2 for wrong arguments */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a script's main function. A SetupError prints its message and exits with its code. Any other error prints its
 * stack and exits with 1. After an interruption, the process waits for the signal that ends it.
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    if (error instanceof Interruption || isInterrupted()) await new Promise(() => undefined);
    process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
    process.exit(error instanceof SetupError ? error.exitCode : 1);
  }
}
