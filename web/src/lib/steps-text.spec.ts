import { describe, expect, it } from 'vitest';
import { jobLabel, stepOptions, stepsAmount, stepsLabel } from './steps-text.js';

const upscale = { operation: 'upscale', level: 'high' } as const;
const smooth = { operation: 'smooth_skin', level: 'low' } as const;

describe('the text of steps', () => {
  it('names a single operation with its level', () => {
    expect(jobLabel([upscale])).toBe('Upscale, high');
    expect(stepsAmount([upscale])).toBe('high');
  });

  it('names a chain in its order', () => {
    expect(stepsLabel([smooth, upscale])).toBe('Smooth skin → Upscale');
    expect(jobLabel([smooth, upscale])).toBe('Smooth skin → Upscale');
    expect(stepsAmount([smooth, upscale])).toBe('2 steps');
  });

  it('includes a chosen strength and size', () => {
    expect(stepOptions({ ...smooth, strength: 0.35 })).toBe('strength 0.35');
    expect(stepOptions({ ...upscale, width: 3_000, height: 2_000 })).toBe('high, 3000 × 2000');
    expect(stepOptions({ ...upscale, width: 3_000, height: 2_000, fit: 'cover' })).toBe(
      'high, 3000 × 2000 (cover)',
    );
    expect(stepOptions({ ...upscale, width: 3_000 })).toBe('high, 3000 × auto');
  });
});
