import { HELD, SUCCESSOR } from '../roles/role-messages.js';
import { invocationOf } from './invocation.js';

/** What each program of the service does. None has arguments: environment variables configure it. */
const PURPOSES = {
  all: 'Starts the whole service: api, worker, dispatcher and, without DATABASE_URL, a database',
  api: 'Starts an api process, which serves HTTP at PORT',
  worker: 'Starts a worker, which runs the jobs',
  dispatcher: 'Starts a dispatcher, which sends webhooks and mail, and deletes what is no longer kept',
} as const;

/**
 * Reads the command line of a program before it loads anything else. After `--help`, or a wrong argument, the process
 * ends by itself.
 * @returns whether the program starts
 */
export async function startsProgram(name: keyof typeof PURPOSES): Promise<boolean> {
  // The supervisor's own words.
  const words = process.argv.slice(2).filter((word) => word !== HELD && word !== SUCCESSOR);
  if (words.length === 0) return true;
  const { commandLine, readCommandLine, UsageError, usageFault } = await import('./command-line.mjs');
  const program = commandLine(
    invocationOf(name),
    `${PURPOSES[name]}. It is configured by environment variables (docs/configuration.md). Exit code 1: it could not start; 2: wrong arguments; 78: wrong configuration.`,
  );
  try {
    return readCommandLine(program, words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(usageFault(program, error));
    process.exitCode = 2;
    return false;
  }
}
