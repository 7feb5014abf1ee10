import { describe, expect, it } from 'vitest';
import { lowestPrecision, precisionOf, type PrecisionChoice } from './precision.js';

const fp16 = { path: 'x.fp16.onnx' };
const int8 = { path: 'x.int8.onnx' };
const probes = (prefersInt8: boolean, prefersHalf: boolean) => ({
  prefersInt8: async () => prefersInt8,
  prefersHalf: async () => prefersHalf,
});
const CPU_WITH_DOT_PRODUCTS = probes(true, false);
const OLD_CPU = probes(false, false);
const GPU = probes(false, true);

describe('precisionOf', () => {
  it.each([
    ['auto', CPU_WITH_DOT_PRODUCTS, 'int8'],
    ['auto', OLD_CPU, 'fp32'],
    ['auto', GPU, 'fp16'],
    ['float32', CPU_WITH_DOT_PRODUCTS, 'fp32'],
    ['float32', GPU, 'fp32'],
    ['float16', OLD_CPU, 'fp16'],
    ['int8', OLD_CPU, 'int8'],
  ] as const)('%s on %o is %s', async (choice: PrecisionChoice, device, expected) => {
    expect(await precisionOf({ fp16, int8 }, choice, device)).toBe(expected);
  });

  it.each(['auto', 'float16', 'int8'] as const)(
    '%s falls back to single precision without such a file',
    async (choice) => {
      expect(await precisionOf({}, choice, probes(true, true))).toBe('fp32');
    },
  );

  it('measures nothing for a stage that has a single file', async () => {
    const measured = async (): Promise<boolean> => {
      throw new Error('measured');
    };
    await expect(precisionOf({}, 'auto', { prefersInt8: measured, prefersHalf: measured })).resolves.toBe(
      'fp32',
    );
  });
});

describe('lowestPrecision', () => {
  it.each([
    [['fp32', 'int8'], 'int8'],
    [['fp16', 'fp32'], 'float16'],
    [['fp16', 'int8'], 'int8'],
    [['fp32'], 'float32'],
  ] as const)('of %j is %s', (precisions, expected) => {
    expect(lowestPrecision(precisions)).toBe(expected);
  });
});
