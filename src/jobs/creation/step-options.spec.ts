import { describe, expect, it } from 'vitest';
import type { CatalogOperation } from '../../models/repository/described-versions.js';
import { AppError } from '../../kernel/app-error.js';
import { LEVELS } from '../../kernel/operations.js';
import type { EnhancementStepDto } from './enhancement-step.dto.js';
import { exactSize } from './exact-size.js';
import { resolveStep } from './step-options.js';

const base = {
  description: '',
  levels: LEVELS,
  producesAlpha: false,
  model: { name: 'm', version: 1, sha256: 'ab' },
};
const UPSCALE: CatalogOperation = { ...base, operation: 'upscale', scales: { low: 2, medium: 2, high: 4 } };
const TONE: CatalogOperation = {
  ...base,
  operation: 'tone',
  scales: { low: 1, medium: 1, high: 1 },
  strengths: { low: 0.3, medium: 0.6, high: 0.9 },
};
const IMAGE = { width: 600, height: 400 };

const resolved = (options: Partial<EnhancementStepDto>, operation = UPSCALE) =>
  resolveStep(
    { operation: operation.operation, ...options },
    operation,
    IMAGE,
    (name) => `operations.1.${name}`,
  );

function refusal(
  options: Partial<EnhancementStepDto>,
  operation = UPSCALE,
): { fields: string[]; text: string } {
  try {
    resolved(options, operation);
  } catch (error) {
    if (error instanceof AppError)
      return { fields: error.errors.map(({ field }) => field), text: error.detail };
    throw error;
  }
  return { fields: [], text: '' };
}

describe('resolveStep', () => {
  it('accepts a strength only where the levels differ in strength', () => {
    expect(resolved({ strength: 0 }, TONE)).toEqual({ level: 'medium', strength: 0 });
    expect(resolved({ level: 'high', strength: 0.5 }, TONE)).toEqual({ level: 'high', strength: 0.5 });
    expect(refusal({ strength: 0.5 })).toEqual({
      fields: ['operations.1.strength'],
      text: 'operations.1.strength is not an option of upscale. Omit it, or choose a level.',
    });
  });

  it.each([
    [{}, 'medium'],
    [{ scale: 2 }, 'medium'],
    [{ scale: 4 }, 'high'],
    [{ scale: 2, level: 'low' }, 'low'],
    [{ width: 1_200 }, 'medium'],
    [{ width: 1_201 }, 'high'],
    [{ height: 10 }, 'medium'],
  ] as const)('chooses the level: %j', (options, level) => {
    expect(resolved(options).level).toBe(level);
  });

  it('refuses a scale that no network has, or that belongs to another level', () => {
    expect(refusal({ scale: 3 }).text).toBe(
      'operations.1.scale must be 2 or 4 for upscale. For other sizes, use width and height.',
    );
    expect(refusal({ scale: 4, level: 'low' }).text).toBe(
      'operations.1.scale does not match level low, which enlarges by 2. Omit one of them.',
    );
  });

  it('never enlarges beyond the network, and reports the largest possible size', () => {
    expect(resolved({ width: 2_400, height: 1_600, fit: 'cover' }).resize).toMatchObject({ width: 2_400 });
    expect(refusal({ width: 2_401, height: 1_600, fit: 'cover' })).toEqual({
      fields: ['operations.1.width'],
      text: 'operations.1.width asks for 2401 × 1600 pixels. Level high can enlarge 600 × 400 pixels to at most 2400 × 1600.',
    });
    expect(refusal({ height: 801, level: 'medium' })).toMatchObject({ fields: ['operations.1.height'] });
    expect(refusal({ scale: 2, height: 801 }).text).toContain('1200 × 800');
  });

  it('refuses sizes for operations that do not enlarge', () => {
    expect(refusal({ scale: 2, width: 9, height: 9, fit: 'fill' }, TONE).fields).toEqual(
      ['scale', 'width', 'height', 'fit'].map((name) => `operations.1.${name}`),
    );
    expect(refusal({ width: 9, fit: 'fill' })).toMatchObject({ fields: ['operations.1.fit'] });
  });
});

describe('exactSize', () => {
  it.each([
    [{ width: 900 }, { width: 900, height: 600, fit: 'fill' }],
    [{ height: 601 }, { width: 902, height: 601, fit: 'fill' }],
    [
      { width: 900, height: 900 },
      { width: 900, height: 600, fit: 'fill' },
    ],
    [
      { width: 900, height: 300, fit: 'inside' },
      { width: 450, height: 300, fit: 'fill' },
    ],
    [
      { width: 900, height: 300, fit: 'cover' },
      { width: 900, height: 300, fit: 'cover' },
    ],
    [
      { width: 900, height: 300, fit: 'fill' },
      { width: 900, height: 300, fit: 'fill' },
    ],
    [{ width: 1 }, { width: 1, height: 1, fit: 'fill' }],
  ] as const)('%j', (requested, size) => {
    expect(exactSize(IMAGE, requested)).toEqual(size);
  });
});
