import { type Level, LEVELS, SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { type CommandLine, commandLine, listOption } from '../command-line.mjs';

export interface DemoOptions {
  /** Path as given, relative to the user's current folder; undefined: the bundled photo. */
  readonly photo: string | undefined;
  readonly operations: readonly string[];
  readonly levels: readonly Level[];
}

/** The command line of `npm run demo`. */
export function demoProgram(): CommandLine {
  return commandLine(
    'npm run demo --',
    'Starts the service on a temporary database, runs the operations on a photo through the HTTP API, and writes the results and a contact sheet to out/. Exit code 1: something failed; 2: wrong arguments.',
  )
    .argument('[photo]', 'JPEG, PNG, WebP or AVIF; default: a bundled portrait, darkened for auto_enhance')
    .option(
      '--operation <list>',
      'operations, separated by commas',
      listOption('--operation', SPECIFIED_OPERATIONS),
      SPECIFIED_OPERATIONS,
    )
    .option('--level <list>', 'levels, separated by commas', listOption('--level', LEVELS), LEVELS);
}

/** The options of a parsed command line. */
export function demoOptions(program: CommandLine): DemoOptions {
  const [photo] = program.processedArgs as readonly (string | undefined)[];
  const { operation, level } = program.opts<{ operation: readonly string[]; level: readonly Level[] }>();
  return { photo, operations: operation, levels: level };
}
