import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import type { ModelRoute } from '../../../models/manifest/model-route.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { Batcher } from '../../batcher.js';
import { deviceStages } from '../../device-stages.js';
import { InMemorySink, InMemorySource } from '../../in-memory-pixels.js';
import { RenderJob, renderedShape } from '../../render-job.js';
import { uint8Tensor } from '../../tensor.js';
import { DeviceModel } from './device-model.js';
import { WatchedEngine } from '../testing/watched-engine.js';

const SIZES = [
  [17, 3],
  [97, 131],
] as const;

const catalog = await loadCatalog(join(import.meta.dirname, '../../../../models'));
/** Every pair of stages once, with small tiles and batches. */
const routes = [
  ...new Map(catalog.routes().map((route) => [`${route.analyse?.id} ${route.render.id}`, route])).values(),
].map(withSmallTiles);

function withSmallTiles(route: ModelRoute): ModelRoute {
  return { ...route, render: { ...route.render, tile: 32, maxBatch: 4 } };
}

const tileEdges = new Map(routes.map(({ render }) => [render.id, render.tile + 2 * render.halo]));

function picture(width: number, height: number, channels: 3 | 4): RawImage {
  const data = new Uint8Array(width * height * channels).map((_, index) => (index * 31) & 255);
  return { data, width, height, channels };
}

function farthest(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((most, value, index) => Math.max(most, Math.abs(value - b[index]!)), 0);
}

describe('the shapes an engine sees', () => {
  it('are only those it was warmed with, whatever the jobs, and even when memory is short', async () => {
    let isMemoryShort = false;
    const engine = new WatchedEngine(({ stageId, batch, edge }) => {
      const isTooMuch = batch > 1 || edge === tileEdges.get(stageId);
      return isMemoryShort && isTooMuch ? 'CUDA failure 2: out of memory' : undefined;
    });
    const model = await DeviceModel.load(engine, deviceStages({ routes: () => routes }));
    for (const stageId of model.stageIds) await model.warm(stageId, 'every shape');
    const feedText = ({ stageId, shapes }: { stageId: string; shapes: string }) => `${stageId} ${shapes}`;
    const warmed = new Set(engine.feeds.splice(0).map(feedText));

    const batcher = new Batcher((stageId, items) => model.run(stageId, items));
    let analyses = 0;
    const enhance = async (route: ModelRoute, image: RawImage): Promise<RawImage> => {
      const analysis = route.analyse === null ? null : ++analyses;
      if (route.analyse !== null) {
        const { size } = route.analyse;
        const pixels = new Uint8Array(size * size * 3).fill(image.data[0]!);
        const item = { tensors: { image: uint8Tensor([1, size, size, 3], pixels) }, analysis };
        await batcher.submit(route.analyse, item);
      }
      const sink = new InMemorySink(renderedShape(route, image));
      await new RenderJob(batcher, { route, source: new InMemorySource(image), sink, analysis }).run(
        undefined,
        () => undefined,
      );
      return sink.image;
    };
    const everything = async (): Promise<RawImage[]> =>
      Promise.all(
        routes.flatMap((route) =>
          SIZES.flatMap(([width, height]) =>
            ([3, 4] as const).map((channels) => enhance(route, picture(width, height, channels))),
          ),
        ),
      );
    const images = await everything();
    expect(engine.feeds.some(({ batch }) => batch === 4)).toBe(true);
    isMemoryShort = true;
    const withLittleMemory = await everything();
    for (const [index, { data }] of withLittleMemory.entries())
      expect(farthest(data, images[index]!.data), `image ${index}`).toBeLessThanOrEqual(1);
    const foreign = engine.feeds.map(feedText).filter((feed) => !warmed.has(feed));
    expect(foreign).toEqual([]);
    await model.release();
  });
});
