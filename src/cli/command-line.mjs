// The one place that knows the library of command lines. Plain JavaScript, because the scripts import it before
// anything is built.
import { Argument, Command, CommanderError, Option } from 'commander';

/** @typedef {import('commander').Command} CommandLine */

/** A command line that cannot be read. The message says in one line what is wrong. */
export class UsageError extends Error {
  /** @override */
  name = 'UsageError';
}

/**
 * An empty command line: `--help` shows its description, anything that is not declared is refused.
 * @param {string} invocation what a person types, such as `npm run admin --`
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
 * Reads the arguments. What the program declared is then in `opts()`, `processedArgs` and the actions that ran.
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
 * What to print for a command line that cannot be read: what is wrong, and where to look.
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
 * Reads a number as the value of an option.
 * @param {string} flag as in `--port`
 * @param {{ from?: number, above?: number, to?: number, whole?: boolean }} bounds `from` and `to` are allowed values
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
 * Reads one of a fixed set of words as the value of an option.
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
 * Reads a list such as `a,b` as the value of an option.
 * @template {string} T
 * @param {string} flag as in `--level`
 * @param {readonly T[]} allowed
 * @returns {(text: string) => readonly T[]} each once
 */
export function listOption(flag, allowed) {
  const read = wordOption(flag, allowed);
  return (text) => [...new Set(text.split(',').map((word) => read(word)))];
}

/**
 * Reads an option that may be given several times. It must not have a default.
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
