import { type Level, LEVELS, SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { parseArguments, UsageError } from '../arguments.js';

export interface DemoOptions {
  /** As it was given, relative to where the person is; `undefined` = the bundled one. */
  readonly photo: string | undefined;
  readonly operations: readonly string[];
  readonly levels: readonly Level[];
  readonly help: boolean;
}

export const DEMO_USAGE = `Usage: npm run demo [-- [photo] [--operation ${SPECIFIED_OPERATIONS.join(',')}] [--level ${LEVELS.join(',')}]]
Starts the service on a temporary database, runs the operations on the photo (JPEG, PNG, WebP or AVIF; default:
a bundled portrait, made too dark for auto_enhance) through the HTTP API, and writes the results and a contact
sheet to out/.`;

/** @throws UsageError with what is wrong with the command line */
export function demoOptions(argv: readonly string[]): DemoOptions {
  const given = parseArguments(argv, { options: ['operation', 'level'], flags: ['help'] });
  if (given.positionals.length > 1) {
    throw new UsageError(`One photo at a time, not ${given.positionals.length}.`);
  }
  return {
    photo: given.positionals[0],
    operations: chosen('operation', given.options['operation'], SPECIFIED_OPERATIONS),
    levels: chosen('level', given.options['level'], LEVELS),
    help: given.flags.has('help'),
  };
}

function chosen<T extends string>(name: string, text: string | undefined, all: readonly T[]): readonly T[] {
  if (text === undefined) return all;
  return text.split(',').map((word) => {
    const found = all.find((candidate) => candidate === word.trim());
    if (found === undefined) {
      throw new UsageError(`There is no ${name} "${word.trim()}"; there are ${all.join(', ')}.`);
    }
    return found;
  });
}
