import { describe, expect, it } from 'vitest';
import { readCommandLine, UsageError } from '../command-line.mjs';
import { type DemoOptions, demoOptions, demoProgram } from './demo-options.js';

function optionsOf(argv: readonly string[]): DemoOptions {
  const program = demoProgram();
  expect(readCommandLine(program, argv)).toBe(true);
  return demoOptions(program);
}

describe('demoOptions', () => {
  it('runs everything on the bundled photo by default', () => {
    expect(optionsOf([])).toEqual({
      photo: undefined,
      operations: ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'],
      levels: ['low', 'medium', 'high'],
    });
  });

  it('accepts a photo and choices', () => {
    const options = optionsOf(['me.jpg', '--operation=upscale,bg_remove', '--level', 'high']);
    expect(options).toEqual({
      photo: 'me.jpg',
      operations: ['upscale', 'bg_remove'],
      levels: ['high'],
    });
  });

  it.each([
    [['--operation', 'sharpen'], '--operation cannot be "sharpen"; it may be smooth_skin, upscale'],
    [['--level', 'max'], '--level cannot be "max"; it may be low, medium, high.'],
    [['--color', 'red'], "Unknown option '--color'"],
    [['--level'], "Option '--level <list>' argument missing"],
    [['a.jpg', 'b.jpg'], 'Too many arguments. Expected 1 argument but got 2.'],
  ])('refuses %j', (argv, text) => {
    expect(() => optionsOf(argv)).toThrow(UsageError);
    expect(() => optionsOf(argv)).toThrow(text);
  });
});
