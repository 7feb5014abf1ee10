import type { ModelRoute } from '#src/models/manifest/model-route.js';
import { Engines } from '#src/inference/engines/engines.js';
import { uint8Tensor } from '#src/inference/tensor.js';
import { analysisImage } from '#src/infra/image/codec/analysis-image.js';
import type { RawImage } from '#src/kernel/pixels.js';
import type { EvalHost } from './eval-row.js';
import { sampledPlane } from './resample.js';

/** The probability of skin for each pixel, 0–1. */
export type SkinMap = (image: RawImage) => Promise<Float32Array>;

/** Runs the analyze graph directly, because its maps never leave the device of the enhancer. */
export async function skinMap({ analyse }: ModelRoute, { threads }: EvalHost): Promise<SkinMap> {
  const { size, outputs } = analyse!;
  const graph = await new Engines({ provider: 'cpu', threads, isGuess: false }).load(analyse!);
  const name = Object.keys(outputs).find((output) => outputs[output]!.length === 3)!;
  return async (image) => {
    const small = await analysisImage(image, size);
    const found = await graph.run({ image: uint8Tensor([1, size, size, 3], new Uint8Array(small.data)) });
    return sampledPlane(found[name]!.data as Float32Array, size, image.width, image.height);
  };
}

/** Detects skin by its chroma alone: 77 ≤ Cb ≤ 127 and 133 ≤ Cr ≤ 173 (Chai and Ngan 1999). */
export function colorRule({ data, width, height }: RawImage): Float32Array {
  return Float32Array.from({ length: width * height }, (_, pixel) => {
    const [red, green, blue] = [data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!];
    const cb = 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue;
    const cr = 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue;
    return cb >= 77 && cb <= 127 && cr >= 133 && cr <= 173 ? 1 : 0;
  });
}
