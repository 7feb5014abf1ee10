import { describe, expect, it } from 'vitest';
import { type JobStep, stepColumns, stepsOf } from './job-step.js';
import { storedStepKind, workKind } from '../models/repository/work-kind.js';

const step = (operation: string, pixels: number, scale = 1): JobStep => ({
  operation,
  level: 'low',
  promise: { version: 3, scale, producesAlpha: false },
  pixels,
});

describe('stepColumns', () => {
  it('stores one step in the columns of earlier versions', () => {
    const one = step('upscale', 100, 2);
    const columns = stepColumns([one], false);
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

  it.each([
    ['an option', { strength: 0.2 }, false],
    ['an exact size', { resize: { width: 5, height: 5, fit: 'fill' } as const }, false],
    ['a mask', { mask: { sourceId: 'src_1', format: 'png', width: 5, height: 5 } } as const, false],
    ['an output that earlier versions do not know', {}, true],
  ])('hides a step with %s from workers of earlier versions', (_, options, isSpecial) => {
    const one = { ...step('upscale', 100, 2), ...options };
    const columns = stepColumns([one], isSpecial);
    expect(columns).toMatchObject({ steps: [one], enhancements: 1, workPixels: 100 });
    const kind = workKind(columns.operation, columns.level, columns.promise);
    expect(kind).toBe('upscale/low/steps/+upscale/low/2/false');
    expect(storedStepKind(workKind('upscale', 'low', one.promise))).toBe(kind);
  });

  it('counts every step, and has a kind that names all of them', () => {
    const steps = [step('upscale', 100, 2), step('auto_enhance', 400), step('upscale', 400, 2)];
    const columns = stepColumns(steps, false);
    expect(columns).toMatchObject({ operation: 'upscale', enhancements: 3, workPixels: 900 });
    expect(stepsOf({ ...columns, sourcePixels: 100 })).toEqual(steps);
    expect(workKind(columns.operation, columns.level, columns.promise)).toBe(
      'upscale/low/steps/+auto_enhance/low/1/false+upscale/low/2/false',
    );
  });
});
