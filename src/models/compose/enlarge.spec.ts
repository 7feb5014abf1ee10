import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { bytes, free, input, output, picture, render, run } from '../testing/foreign-graphs.js';
import { phaseKernels } from './enlarge.js';
import type { GraphWriter, Value } from './graph-writer.js';

describe('enlarging', () => {
  const double = (g: GraphWriter, x: Value): Value => {
    const scales = g.constant([1, 1, 2, 2]);
    const none = g.constant([], 'float32');
    return g.op('Resize', [x, none, scales], {
      mode: 'nearest',
      coordinate_transformation_mode: 'asymmetric',
      nearest_mode: 'floor',
    });
  };

  it('doubles an image, and enlarges its alpha by half-pixel centers', async () => {
    const graph = render(
      { dims: free, body: double },
      { input: input(), output: output({ base: 'bilinear' }) },
      2,
    );
    const image = picture(1, 5, 6, 4);
    const result = await run(graph, image);
    expect(result.dims).toEqual([1, 10, 12, 4]);
    const [large, small] = [bytes(result), bytes(image)];
    const at = (data: number[], width: number, y: number, x: number, channel: number): number =>
      data[(y * width + x) * 4 + channel]!;
    expect(at(large, 12, 4, 7, 1)).toBe(at(small, 6, 2, 3, 1));
    // Output (2, 3) corresponds to source (0.75, 1.25).
    const between = (y: number): number => 0.75 * at(small, 6, y, 1, 3) + 0.25 * at(small, 6, y, 2, 3);
    expect(Math.abs(at(large, 12, 2, 3, 3) - (0.25 * between(0) + 0.75 * between(1)))).toBeLessThanOrEqual(
      0.51,
    );
  });

  it('with a luminance model enlarges the chroma, too', async () => {
    const graph = render(
      { dims: ['N', 1, 'H', 'W'], body: double },
      { input: input({ channels: 'Y' }), output: output({ channels: 'Y' }) },
      2,
    );
    const red = new Tensor(
      'uint8',
      Uint8Array.from({ length: 48 }, (_, at) => [200, 40, 90][at % 3]!),
      [1, 4, 4, 3],
    );
    const result = bytes(await run(graph, red));
    expect(result).toEqual(Array.from({ length: 192 }, (_, at) => [200, 40, 90][at % 3]!));
  });

  it.each([2, 3, 4] as const)('uses weights that sum to one at every position, ×%i', (scale) => {
    for (const kind of ['nearest', 'bilinear', 'bicubic'] as const) {
      const kernels = phaseKernels(scale, kind);
      for (let phase = 0; phase < scale * scale; phase++) {
        const sum = kernels.slice(phase * 25, phase * 25 + 25).reduce((a, b) => a + b, 0);
        expect(sum).toBeCloseTo(1, 9);
      }
    }
  });
});
