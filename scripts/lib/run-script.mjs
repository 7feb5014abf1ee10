import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode } from './check-node.mjs';
import { NODE_MODULES } from './paths.mjs';
import { runMain, SetupError } from './setup-error.mjs';
import { setupPackages } from './setup.mjs';

/** @typedef {typeof import('../../src/cli/command-line.mjs')} CommandLines */
/** @typedef {import('../../src/cli/command-line.mjs').CommandLine} CommandLine */

/**
 * Runs a script of package.json: parses its command line, then calls `main`. `--help` prints the usage and exits with
 * 0. An invalid command line exits with 2, and a SetupError with its own code.
 * @param {object} script
 * @param {string} script.invocation what a user types, such as `npm run fuzz --`
 * @param {string} script.description
 * @param {(program: CommandLine, lines: CommandLines) => unknown} [script.declare] adds arguments and options
 * @param {(options: Record<string, any>, args: any[]) => unknown} script.main
 */
export async function runScript({ invocation, description, declare, main }) {
  await runMain(async () => {
    checkNode();
    const lines = await commandLines();
    const program = lines.commandLine(invocation, description);
    declare?.(program, lines);
    try {
      if (!lines.readCommandLine(program, process.argv.slice(2))) return;
      await main(program.opts(), program.processedArgs);
    } catch (error) {
      if (!(error instanceof lines.UsageError)) throw error;
      throw new SetupError(lines.usageFault(program, error).trimEnd(), 2);
    }
  });
}

/** In a fresh clone, the command-line library must be installed first. */
async function commandLines() {
  if (!existsSync(join(NODE_MODULES, 'commander'))) await setupPackages();
  return import('../../src/cli/command-line.mjs');
}
