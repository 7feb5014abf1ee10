import { describe, expect, it } from 'vitest';
import { UsageError } from '../arguments.js';
import { demoOptions } from './demo-options.js';

describe('demoOptions', () => {
  it('runs everything on the bundled photo by default', () => {
    expect(demoOptions([])).toEqual({
      photo: undefined,
      operations: ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'],
      levels: ['low', 'medium', 'high'],
      help: false,
    });
  });

  it('takes a photo and choices', () => {
    const options = demoOptions(['me.jpg', '--operation=upscale,bg_remove', '--level', 'high']);
    expect(options).toMatchObject({
      photo: 'me.jpg',
      operations: ['upscale', 'bg_remove'],
      levels: ['high'],
    });
  });

  it.each([
    [['--operation', 'sharpen'], 'There is no operation "sharpen"; there are smooth_skin, upscale'],
    [['--level', 'max'], 'There is no level "max"; there are low, medium, high.'],
    [['--colour', 'red'], 'There is no option --colour.'],
    [['--level'], '--level needs a value.'],
    [['a.jpg', 'b.jpg'], 'One photo at a time, not 2.'],
  ])('refuses %j', (argv, text) => {
    expect(() => demoOptions(argv)).toThrow(UsageError);
    expect(() => demoOptions(argv)).toThrow(text);
  });
});
