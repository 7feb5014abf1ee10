import { describe, expect, it } from 'vitest';
import type { CatalogOperation } from '../../models/repository/described-versions.js';
import { LEVELS, type Level } from '../../kernel/operations.js';
import type { OutputDto } from './output/output.dto.js';
import { jobSpecOf, offeredSteps, type SourceShape } from './job-spec.js';

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
const OFFERED = [
  offer('bg_remove', { low: 1, medium: 1, high: 1 }, true),
  offer('smooth_skin', { low: 1, medium: 1, high: 1 }),
  offer('upscale', { low: 2, medium: 2, high: 4 }),
];

const SOURCE = { format: 'webp', width: 100, height: 50, hasAlpha: false } as const;
const LIMITS = { maxOutputPixels: 1e9, codecMemoryBytes: 500e6 };
const failing = (code: string, more: object = {}) => expect.objectContaining({ code, ...more }) as Error;

/** Steps such as `upscale:high`, or `upscale` without a level. */
function stepsNamed(...names: string[]) {
  const requested = names.map((name, index) => {
    const [operation, level] = name.split(':') as [string, Level | undefined];
    const step = level === undefined ? { operation } : { operation, level };
    return { step, fieldOf: (field: string) => `operations.${index}.${field}` };
  });
  return offeredSteps(requested, { operations: OFFERED, versions: OFFERED });
}

const specOf = (
  names: string | string[],
  output?: OutputDto,
  source: SourceShape = SOURCE,
  limits: Partial<typeof LIMITS> = {},
) => jobSpecOf(stepsNamed(...[names].flat()), output, { source }, { ...LIMITS, ...limits });

describe('offeredSteps', () => {
  it('finds the offered steps, and names every step that is not offered', () => {
    expect(stepsNamed('upscale', 'smooth_skin:low').map(({ operation }) => operation.operation)).toEqual([
      'upscale',
      'smooth_skin',
    ]);
    expect(() => stepsNamed('sharpen', 'upscale', 'blur')).toThrow(
      failing('invalid_request', {
        errors: [0, 2].map((index) => ({
          field: `operations.${index}.operation`,
          code: 'enum',
          message: `operations.${index}.operation must be one of bg_remove, smooth_skin, upscale.`,
        })),
      }),
    );
  });
});

describe('jobSpecOf', () => {
  it('resolves every default', () => {
    expect(specOf('upscale')).toEqual({
      steps: [
        {
          operation: 'upscale',
          level: 'medium',
          promise: { version: 1, scale: 2, producesAlpha: false },
          pixels: 5_000,
        },
      ],
      output: { format: 'webp', quality: null, background: null },
      result: { format: 'webp', width: 200, height: 100 },
    });
    expect(specOf('bg_remove', undefined, { ...SOURCE, format: 'jpeg' }).output.format).toBe('png');
  });

  it('keeps the requested values', () => {
    const output = { format: 'avif', quality: 7, background: '#A0b1C2' } as const;
    expect(specOf('bg_remove:high', output)).toMatchObject({
      steps: [{ operation: 'bg_remove', level: 'high' }],
      output: { format: 'avif', quality: 7, background: '#a0b1c2' },
    });
  });

  it('requires a background if the result cannot hold the transparency', () => {
    for (const steps of ['bg_remove', ['bg_remove', 'upscale']]) {
      expect(() => specOf(steps, { format: 'jpeg' })).toThrow(
        failing('invalid_request', {
          errors: [expect.objectContaining({ field: 'output.background', code: 'required' })],
        }),
      );
    }
    const given = { format: 'jpeg', background: '#ffffff' } as const;
    expect(specOf('bg_remove', given).output.background).toBe('#ffffff');
    expect(specOf('upscale', { format: 'jpeg' }).output.format).toBe('jpeg');
  });

  it('lets each step read the result of the one before', () => {
    const { steps, output } = specOf(['upscale:high', 'bg_remove', 'upscale:low'], undefined, {
      ...SOURCE,
      format: 'jpeg',
    });
    expect(steps.map(({ pixels }) => pixels)).toEqual([5_000, 80_000, 80_000]);
    expect(output.format).toBe('png');
  });

  it('refuses a result with more pixels than allowed, and accepts one at the limit', () => {
    const pixels = 400 * 200;
    const field = 'operations.0.operation';
    expect(() => specOf('upscale:high', undefined, SOURCE, { maxOutputPixels: pixels - 1 })).toThrow(
      failing('too_many_pixels', { errors: [expect.objectContaining({ field })] }),
    );
    expect(specOf('upscale:high', undefined, SOURCE, { maxOutputPixels: pixels }).steps).toHaveLength(1);
  });

  it('names the step that makes a chain too large', () => {
    const chain = ['smooth_skin', 'upscale:low', 'upscale:high', 'bg_remove'];
    const field = 'operations.2.operation';
    expect(() =>
      specOf(chain, undefined, { ...SOURCE, width: 4_000, height: 3_000 }, { maxOutputPixels: 2e8 }),
    ).toThrow(
      failing('too_many_pixels', {
        detail: `The result of ${field} would have 32000 × 24000 pixels. The limit is 200000000 pixels.`,
        errors: [expect.objectContaining({ field })],
      }),
    );
  });

  it.each([
    ['webp', 16_383],
    ['jpeg', 65_500],
    ['avif', 16_384],
  ] as const)('refuses a %s longer than %i along an edge', (format, side) => {
    const order = (width: number) =>
      specOf('smooth_skin', { format }, { format: 'png', width, height: 1, hasAlpha: false });
    expect(order(side).output.format).toBe(format);
    expect(() => order(side + 1)).toThrow(
      failing('too_many_pixels', { errors: [expect.objectContaining({ field: 'output.format' })] }),
    );
  });
});
