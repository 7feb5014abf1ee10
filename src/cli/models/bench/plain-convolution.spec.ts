import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { plainConvolution } from './plain-convolution.js';

const EDGE = 8;
const ONE_LAYER = 2 * EDGE * EDGE * 32 * 32 * 9;
/** Below this, a float32 is denormal. */
const MIN_NORMAL = 2 ** -126;

describe('plainConvolution', () => {
  it.each([1, 3, 200])('of %i layers produces numbers of ordinary magnitude', async (layers) => {
    const { bytes, inputs, operations } = plainConvolution(EDGE, layers * ONE_LAYER);
    expect(operations).toBe(layers * ONE_LAYER);
    const session = await InferenceSession.create(bytes);
    const x = inputs['x']!;
    const { y } = await session.run({ x: new Tensor('float32', x.data as Float32Array, x.dims) });
    const [mean] = y!.data as Float32Array;
    expect(Math.abs(mean!)).toBeGreaterThan(MIN_NORMAL * 1e6);
    expect(Math.abs(mean!)).toBeLessThan(1e6);
    await session.release();
  });
});
