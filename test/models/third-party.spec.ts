import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../src/models/check/check-version.js';
import { enhanced } from '../../src/models/check/enhanced.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import { writeVersion } from '../../src/models/testing/tiny-models.js';
import { Enhancer } from '../../src/inference/enhancer.js';
import type { RawImage } from '../../src/kernel/pixels.js';
import { decodeImage } from '../../src/infra/image/codec/decode.js';
import { type ModelsDir, temporaryModels } from '../support/models/models-dir.js';
import { THIRD_PARTY, X3_FILE, x3Version } from '../support/models/third-party.js';

/** Published third-party files may exist next to the repository; they are never part of it. */
describe.skipIf(!existsSync(THIRD_PARTY))('third-party files (../shared/data/models)', () => {
  let models: ModelsDir;
  beforeAll(async () => {
    models = await temporaryModels();
  });
  afterAll(() => models.remove());

  describe('pytorch_super_resolution_core_x3_224.onnx, for luminance at 224 × 224 only', () => {
    let enhancer: Enhancer;
    let folder: string;

    beforeAll(async () => {
      folder = await writeVersion(x3Version(models.path));
      const catalog = await loadCatalog(models.path);
      const onDeath = (error: Error): void => {
        throw error;
      };
      enhancer = await Enhancer.start({ catalog, device: 'cpu', threads: 0, onDeath });
    });
    afterAll(() => enhancer?.close());

    it('is valid, and is offered with the scale of its manifest', async () => {
      expect(await checkVersion(folder)).toMatchObject({ ok: true, operation: 'upscale', version: 2 });
      const [operation] = (await loadCatalog(models.path)).operations();
      expect(operation).toMatchObject({ operation: 'upscale', scales: { low: 3, medium: 3, high: 3 } });
    });

    it("triples the size of a photo with the luminance of the bare model and the photo's colors", async () => {
      const route = (await loadCatalog(models.path)).route('upscale', 'medium')!;
      const photo = await decodeImage('scripts/assets/astronaut.png', { maxPixels: 1e7 });
      const result = await enhanced(enhancer, route, photo);
      expect([result.width, result.height]).toEqual([photo.width * 3, photo.height * 3]);
      // Compares the first tile that is completely inside with the bare model.
      const { tile, halo } = route.render;
      const [left, top] = [tile - halo, tile - halo];
      const bare = await bareLuma(photo, left, top);
      const square = (bare.length ** 0.5) | 0;
      let [largest, sum] = [0, 0];
      for (let y = halo * 3; y < square - halo * 3; y++) {
        for (let x = halo * 3; x < square - halo * 3; x++) {
          const at = ((top * 3 + y) * result.width + left * 3 + x) * result.channels;
          const pixel = [...result.data.subarray(at, at + 3)];
          // Clipped colors have lost their luminance.
          if (pixel.some((value) => value === 0 || value === 255)) continue;
          const difference = Math.abs(lumaOf(pixel) - bare[y * square + x]!);
          largest = Math.max(largest, difference);
          sum += difference;
        }
      }
      expect(largest).toBeLessThanOrEqual(1);
      expect(sum).toBeGreaterThan(0);
    });
  });

  const refusals = [
    [
      'Ultraface.version-RFB-320.onnx',
      /^upscale\/\d+ is not served: the graph m\.onnx takes input float32\[1,3,240,320\], not the input image uint8 \[N,H,W,3 or 4\]; .*\.$/,
    ],
    [
      'supres.onnx',
      /^upscale\/\d+ is not served: the file m\.onnx of stage x3 needs the operator SuperResolutionPreProcess of the domain ai\.onnx\.contrib, which the runtime does not have; export the model without it\.$/,
    ],
  ] as const;

  it.each(refusals)('%s is refused with one clear message', async (name, expected) => {
    const folder = await versionOf(name, {});
    expect(await checkVersion(folder)).toMatchObject({
      ok: false,
      refusal: { message: expect.stringMatching(expected) },
    });
  });

  it('Ultraface is refused with an adapter, too: boxes are not a picture', async () => {
    const input = { name: 'input', layout: 'NCHW', dtype: 'float32', channels: 'RGB', range: [-1, 1] };
    const folder = await versionOf('Ultraface.version-RFB-320.onnx', {
      input: { ...input, size: { mode: 'fixed', height: 240, width: 320 }, resize: 'stretch' },
      output: {
        name: 'boxes',
        layout: 'NCHW',
        dtype: 'float32',
        meaning: 'image',
        channels: 'RGB',
        range: [0, 1],
      },
    });
    expect(await checkVersion(folder)).toMatchObject({
      refusal: {
        message: expect.stringMatching(/boxes float32\[1,4420,4\] of m\.onnx has 3 axes and is not an image/),
      },
    });
  });

  let version = 10;
  function versionOf(name: string, adapter: Readonly<Record<string, unknown>>): Promise<string> {
    return writeVersion({
      modelsDir: models.path,
      operation: 'upscale',
      version: (version += 1),
      files: { 'm.onnx': readFileSync(join(THIRD_PARTY, name)) },
      stages: { x3: { kind: 'render', file: 'm.onnx', tile: 192, halo: 16, scale: 3, ...adapter } },
    });
  }
});

/** BT.601 luma, 0–255. */
function lumaOf([red, green, blue]: readonly number[]): number {
  return 0.299 * red! + 0.587 * green! + 0.114 * blue!;
}

/** The output of the bare model for a 224 × 224 part: luminance 0–255, 672 × 672. */
async function bareLuma(
  { data, width, channels }: RawImage,
  left: number,
  top: number,
): Promise<Float32Array> {
  const luma = new Float32Array(224 * 224);
  for (let y = 0; y < 224; y++) {
    for (let x = 0; x < 224; x++) {
      const at = ((top + y) * width + left + x) * channels;
      luma[y * 224 + x] = lumaOf([...data.subarray(at, at + 3)]) / 255;
    }
  }
  const session = await InferenceSession.create(X3_FILE);
  const { output } = await session.run({ input: new Tensor('float32', luma, [1, 1, 224, 224]) });
  return (output!.data as Float32Array).map((value) => value * 255);
}
