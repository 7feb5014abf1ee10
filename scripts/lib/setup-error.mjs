/** Something that keeps the setup from going on; the message tells a person what to do. */
export class SetupError extends Error {
  name = 'SetupError';

  /** @param {number} [exitCode] 2 for wrong arguments */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a script's main function: a SetupError is one message and its exit code, anything else shows its stack and exits 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
    process.exit(error instanceof SetupError ? error.exitCode : 1);
  }
}
