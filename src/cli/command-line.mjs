// The only module that uses the command-line library. It is plain JavaScript, because the scripts import it before
// anything is built.
import { Argument, Command, CommanderError, Option } from 'commander';

/** @typedef {import('commander').Command} CommandLine */

/** An invalid command line. The message says in one line what is wrong. */
export class UsageError extends Error {
  /** @override */
  name = 'UsageError';
}

/**
 * Creates an empty command line. `--help` shows its description, and undeclared arguments are rejected.
 * @param {string} invocation what a user types, such as `npm run admin --`
 * @param {string} description what the program does and what its exit codes mean
 * @returns {CommandLine}
 */
export function commandLine(invocation, description) {
  return new Command(invocation)
    .description(description)
    .helpOption('-h, --help', 'show this text')
    .helpCommand(false)
    .configureHelp({ helpWidth: 100, showGlobalOptions: true })
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();
}

/**
 * Parses the arguments. The result is in `opts()` and `processedArgs`, and the actions have run.
 * @param {CommandLine} program
 * @param {readonly string[]} argv without the names of Node.js and the script
 * @returns {boolean} false after `--help`, when there is nothing left to do
 * @throws {UsageError}
 */
export function readCommandLine(program, argv) {
  try {
    program.parse(argv, { from: 'user' });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return false;
    throw new UsageError(sentence(error), { cause: error });
  }
}

/**
 * The message for an invalid command line: what is wrong, and how to get help.
 * @param {CommandLine} program
 * @param {UsageError} error
 */
export function usageFault(program, error) {
  return `${error.message}\nRun "${program.name()} --help" to see the usage.\n`;
}

/** @param {CommanderError} error */
function sentence({ code, message }) {
  if (code === 'commander.help') return 'A command is missing.';
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/**
 * Parses a number as the value of an option.
 * @param {string} flag as in `--port`
 * @param {{ from?: number, above?: number, to?: number, whole?: boolean }} bounds `from` and `to` are inclusive,
 *   `above` is exclusive
 * @returns {(text: string) => number}
 */
export function numberOption(flag, { from = -Infinity, above = -Infinity, to = Infinity, whole = false }) {
  const kind = whole ? 'a whole number' : 'a number';
  const lower = Number.isFinite(above) ? ` above ${above}` : Number.isFinite(from) ? ` from ${from}` : '';
  const upper = Number.isFinite(to) ? ` up to ${to}` : '';
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const isRight = value >= from && value > above && value <= to && (!whole || Number.isSafeInteger(value));
    if (isRight) return value;
    throw new UsageError(`${flag} must be ${kind}${lower}${upper}, not "${text}".`);
  };
}

/**
 * Parses one of a fixed set of words as the value of an option.
 * @template {string} T
 * @param {string} flag as in `--level`
 * @param {readonly T[]} allowed
 * @returns {(text: string) => T}
 */
export function wordOption(flag, allowed) {
  return (text) => {
    const found = allowed.find((candidate) => candidate === text.trim());
    if (found !== undefined) return found;
    throw new UsageError(`${flag} cannot be "${text.trim()}"; it may be ${allowed.join(', ')}.`);
  };
}

/**
 * Parses a list such as `a,b` as the value of an option.
 * @template {string} T
 * @param {string} flag as in `--level`
 * @param {readonly T[]} allowed
 * @returns {(text: string) => readonly T[]} without duplicates
 */
export function listOption(flag, allowed) {
  const read = wordOption(flag, allowed);
  return (text) => [...new Set(text.split(',').map((word) => read(word)))];
}

/**
 * Parses an option that may be given several times. The option must not have a default.
 * @template T
 * @param {(text: string) => T} read
 * @returns {(text: string, previous?: readonly T[]) => readonly T[]}
 */
export function repeatedOption(read) {
  return (text, previous = []) => [...previous, read(text)];
}

/**
 * An option with a fixed set of values.
 * @param {string} flags as in `--plan <name>`
 * @param {string} description
 * @param {readonly string[]} values
 */
export function choiceOption(flags, description, values) {
  return new Option(flags, description).choices(values);
}

/**
 * An argument with a fixed set of values.
 * @param {string} name as in `<part>` or `[part]`
 * @param {string} description
 * @param {readonly string[]} values
 */
export function choiceArgument(name, description, values) {
  return new Argument(name, description).choices(values);
}
