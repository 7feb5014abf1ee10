import { describe, expect, it } from 'vitest';
import { type JobStep, stepColumns, stepsOf } from './job-step.js';
import { workKind } from '../models/repository/work-kind.js';

const step = (operation: string, pixels: number, scale = 1): JobStep => ({
  operation,
  level: 'low',
  promise: { version: 3, scale, producesAlpha: false },
  pixels,
});

describe('stepColumns', () => {
  it('stores one step in the columns of earlier versions', () => {
    const one = step('upscale', 100, 2);
    const columns = stepColumns([one]);
    expect(columns).toEqual({
      operation: 'upscale',
      level: 'low',
      promise: one.promise,
      steps: null,
      enhancements: 1,
      workPixels: null,
    });
    expect(stepsOf({ ...columns, sourcePixels: 100 })).toEqual([one]);
  });

  it('counts every step, and has a kind that names all of them', () => {
    const steps = [step('upscale', 100, 2), step('auto_enhance', 400), step('upscale', 400, 2)];
    const columns = stepColumns(steps);
    expect(columns).toMatchObject({ operation: 'upscale', enhancements: 3, workPixels: 900 });
    expect(stepsOf({ ...columns, sourcePixels: 100 })).toEqual(steps);
    expect(workKind(columns.operation, columns.level, columns.promise)).toBe(
      'upscale/low/steps/+auto_enhance/low/1/false+upscale/low/2/false',
    );
  });
});
