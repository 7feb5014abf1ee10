import { describe, expect, it, vi } from 'vitest';
import {
  choiceArgument,
  type CommandLine,
  commandLine,
  listOption,
  numberOption,
  readCommandLine,
  repeatedOption,
  UsageError,
  usageFault,
  wordOption,
} from './command-line.mjs';

function program(): CommandLine {
  const drawn = commandLine('npm run draw --', 'Draws.').option('--json', 'as JSON');
  drawn
    .command('line')
    .argument('<from>', 'start')
    .option('--width <n>', 'width', numberOption('--width', { above: 0, to: 8 }))
    .option('--color <name>', 'color', repeatedOption(wordOption('--color', ['red', 'blue'])));
  drawn.command('shape').addArgument(choiceArgument('<kind>', 'kind', ['circle', 'square']));
  return drawn;
}

function faultOf(...argv: readonly string[]): string {
  try {
    readCommandLine(program(), argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'none';
}

describe('readCommandLine', () => {
  it('reads options before and after the command', () => {
    const read = program();
    expect(
      readCommandLine(read, ['line', 'a', '--json', '--width=3', '--color', 'red', '--color=blue']),
    ).toBe(true);
    expect(read.opts()).toEqual({ json: true });
    expect(read.commands[0]!.processedArgs).toEqual(['a']);
    expect(read.commands[0]!.opts()).toEqual({ width: 3, color: ['red', 'blue'] });
  });

  it.each([
    [[], 'A command is missing.'],
    [['lime'], "Unknown command 'lime' (Did you mean line?)"],
    [['line'], "Missing required argument 'from'"],
    [['line', 'a', 'b'], "Too many arguments for 'line'. Expected 1 argument but got 2."],
    [['line', 'a', '--jason'], "Unknown option '--jason' (Did you mean --json?)"],
    [['line', 'a', '--width'], "Option '--width <n>' argument missing"],
    [['line', 'a', '--width', '9'], '--width must be a number above 0 up to 8, not "9".'],
    [['line', 'a', '--width='], '--width must be a number above 0 up to 8, not "".'],
    [['line', 'a', '--color', 'green'], '--color cannot be "green"; it may be red, blue.'],
    [
      ['shape', 'cube'],
      "Command-argument value 'cube' is invalid for argument 'kind'. Allowed choices are circle, square.",
    ],
  ])('explains in one line what is wrong with %j', (argv, fault) => {
    expect(faultOf(...argv)).toBe(fault);
  });

  it.each([[['--help']], [['-h']], [['line', '--help']]])('prints the usage for %j', (argv) => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(readCommandLine(program(), argv)).toBe(false);
      expect(write.mock.calls.join('')).toContain('Usage: npm run draw --');
      expect(write.mock.calls.join('')).toContain('--json');
    } finally {
      write.mockRestore();
    }
  });
});

describe('listOption', () => {
  it('removes repeated words, and refuses empty ones', () => {
    expect(listOption('--level', ['low', 'high'])('high, low,high')).toEqual(['high', 'low']);
    expect(() => listOption('--level', ['low', 'high'])('low,')).toThrow(UsageError);
  });
});

describe('usageFault', () => {
  it('points to --help', () => {
    expect(usageFault(program(), new UsageError('No.'))).toBe(
      'No.\nRun "npm run draw -- --help" to see the usage.\n',
    );
  });
});
