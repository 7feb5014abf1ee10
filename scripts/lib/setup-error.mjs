/** Something that keeps the setup from going on; the message tells a person what to do. */
export class SetupError extends Error {
  name = 'SetupError';
}

/** Runs a script's main function: a SetupError is one sentence and exit code 1, anything else shows its stack. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
    process.exit(1);
  }
}
