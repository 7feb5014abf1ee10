import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RawImage } from '../../src/kernel/pixels.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import { deviceStages } from '../../src/inference/device-stages.js';
import { Enhancer } from '../../src/inference/enhancer.js';
import { OnnxEngine } from '../../src/inference/engines/onnx-engine.js';
import { runsInt8Faster } from '../../src/inference/engines/int8-probe.js';
import { cropped, readPicture } from '../support/images/flow-picture.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const stages = deviceStages({ routes: () => catalog.routes() }).filter(({ ref }) => ref.int8 !== undefined);
const routes = catalog.routes().filter(({ operation }) => operation === 'upscale');

/** Of 255, against the same network in single precision; see decision 0210. */
const LIMITS = { mean: 0.6, largest: 16 } as const;

async function enhanced(precision: 'float32' | 'int8', image: RawImage): Promise<RawImage[]> {
  const onDeath = (error: Error): never => {
    throw error;
  };
  const enhancer = await Enhancer.start({
    catalog: { routes: () => routes },
    device: 'cpu',
    threads: 1,
    precision,
    onDeath,
  });
  try {
    expect(routes.map((route) => enhancer.precisionOf([route]))).toEqual(routes.map(() => precision));
    const results: RawImage[] = [];
    for (const route of routes) results.push(await enhancer.render(route, image, null));
    return results;
  } finally {
    await enhancer.close();
  }
}

describe('8-bit twins of the built-in networks', () => {
  it('exist for every upscaler', () => {
    expect(stages.map(({ ref }) => ref.id).toSorted()).toEqual([
      'upscale/1/x2-best',
      'upscale/1/x2-fast',
      'upscale/1/x4',
    ]);
  });

  it('produce nearly the same photo', async () => {
    const photo = await readPicture(await readFile('scripts/assets/astronaut.png'));
    const part = { ...cropped(photo, 96, 0, 96, 96), channels: 4 as const };
    const [single, integer] = [await enhanced('float32', part), await enhanced('int8', part)];
    for (const [index, expected] of single.entries()) {
      const differences = Array.from(expected.data, (value, at) =>
        Math.abs(value - integer[index]!.data[at]!),
      );
      const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
      // Zero would mean that the same file ran twice.
      expect(mean).toBeGreaterThan(0);
      expect(mean).toBeLessThan(LIMITS.mean);
      expect(Math.max(...new Set(differences))).toBeLessThan(LIMITS.largest);
    }
  });

  it('are benchmarked with graphs that the runtime accepts', async () => {
    const engine = new OnnxEngine({ provider: 'cpu', threads: 1, isGuess: false });
    expect(typeof (await runsInt8Faster((graph) => engine.open(graph)))).toBe('boolean');
  });
});
