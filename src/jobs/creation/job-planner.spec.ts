import { describe, expect, it } from 'vitest';
import type { CatalogOperation } from '../../models/repository/catalog.js';
import { LEVELS } from '../../kernel/operations.js';
import type { CreateJobDto } from './create-job.dto.js';
import { jobSpecOf, readOperation } from './job-planner.js';

const model = { name: 'm', version: 1, sha256: 'ab' };
const offer = (
  operation: string,
  scales: Record<string, number>,
  producesAlpha = false,
): CatalogOperation => ({
  operation,
  description: '',
  levels: LEVELS,
  scales: scales as CatalogOperation['scales'],
  producesAlpha,
  model,
});
const UPSCALE = offer('upscale', { low: 2, medium: 2, high: 4 });
const SMOOTH = offer('smooth_skin', { low: 1, medium: 1, high: 1 });
const CUTOUT = offer('bg_remove', { low: 1, medium: 1, high: 1 }, true);

const SOURCE = { format: 'webp', width: 100, height: 50, hasAlpha: false } as const;
const LIMITS = { maxOutputPixels: 1e9, codecMemoryBytes: 500e6 };
const dto = (more: Partial<CreateJobDto> = {}): CreateJobDto => ({
  sourceUrl: 'x',
  operation: 'upscale',
  ...more,
});
const failing = (code: string, more: object = {}) => expect.objectContaining({ code, ...more }) as Error;

describe('readOperation', () => {
  it('finds what is offered and names it otherwise', () => {
    expect(readOperation(dto(), [SMOOTH, UPSCALE])).toBe(UPSCALE);
    expect(() => readOperation(dto({ operation: 'sharpen' }), [SMOOTH, UPSCALE])).toThrow(
      failing('invalid_request', { detail: expect.stringMatching(/smooth_skin, upscale/) as unknown }),
    );
  });
});

describe('jobSpecOf', () => {
  it('decides every default', () => {
    expect(jobSpecOf(dto(), UPSCALE, SOURCE, LIMITS)).toEqual({
      operation: 'upscale',
      level: 'medium',
      output: { format: 'webp', quality: null, background: null },
    });
    expect(jobSpecOf(dto(), CUTOUT, { ...SOURCE, format: 'jpeg' }, LIMITS).output.format).toBe('png');
  });

  it('takes what was asked for', () => {
    const output = { format: 'avif', quality: 7, background: '#A0b1C2' } as const;
    expect(jobSpecOf(dto({ level: 'high', output }), CUTOUT, SOURCE, LIMITS)).toEqual({
      operation: 'bg_remove',
      level: 'high',
      output: { format: 'avif', quality: 7, background: '#a0b1c2' },
    });
  });

  it('needs a background where transparency has nowhere to go', () => {
    expect(() => jobSpecOf(dto({ output: { format: 'jpeg' } }), CUTOUT, SOURCE, LIMITS)).toThrow(
      failing('invalid_request', {
        errors: [expect.objectContaining({ field: 'output.background', code: 'required' })],
      }),
    );
    const given = { format: 'jpeg', background: '#ffffff' } as const;
    expect(jobSpecOf(dto({ output: given }), CUTOUT, SOURCE, LIMITS).output.background).toBe('#ffffff');
    expect(jobSpecOf(dto({ output: { format: 'jpeg' } }), UPSCALE, SOURCE, LIMITS).output.format).toBe(
      'jpeg',
    );
  });

  it('refuses a result of more pixels than allowed, and not one less', () => {
    const pixels = 400 * 200;
    expect(() =>
      jobSpecOf(dto({ level: 'high' }), UPSCALE, SOURCE, { ...LIMITS, maxOutputPixels: pixels - 1 }),
    ).toThrow(failing('too_many_pixels'));
    expect(
      jobSpecOf(dto({ level: 'high' }), UPSCALE, SOURCE, { ...LIMITS, maxOutputPixels: pixels }).level,
    ).toBe('high');
  });

  it.each([
    ['webp', 16_383],
    ['jpeg', 65_500],
    ['avif', 16_384],
  ] as const)('refuses a %s longer than %i along an edge', (format, side) => {
    const order = (width: number) =>
      jobSpecOf(
        dto({ output: { format } }),
        SMOOTH,
        { format: 'png', width, height: 1, hasAlpha: false },
        LIMITS,
      );
    expect(order(side).output.format).toBe(format);
    expect(() => order(side + 1)).toThrow(failing('too_many_pixels'));
  });
});
