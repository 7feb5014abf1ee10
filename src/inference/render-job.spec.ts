import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../catalog/load-catalog.js';
import type { ModelRoute } from '../catalog/model-route.js';
import type { RawImage } from '../kernel/pixels.js';
import { Batcher } from './batcher.js';
import { Device } from './device/device.js';
import { deviceStages } from './device-stages.js';
import { RenderJob } from './render-job.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const committed = catalog.route('upscale', 'low')!;
const route: ModelRoute = { ...committed, render: { ...committed.render, tile: 32, maxBatch: 4 } };

type Colour = readonly [number, number, number];
const red: Colour = [230, 40, 30];
const blue: Colour = [20, 60, 220];

function solid(width: number, height: number, colour: Colour): RawImage {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => colour[index % 3]!);
  return { data, width, height, channels: 3 };
}

/** The largest distance of any byte from a solid colour. */
const distanceFrom = (image: RawImage, colour: Colour): number =>
  image.data.reduce((largest, value, index) => Math.max(largest, Math.abs(value - colour[index % 3]!)), 0);

describe('RenderJob', () => {
  let device: Device;
  /** First byte of each item of each batch: which job it came from. */
  let batches: number[][];
  let batcher: Batcher;

  beforeAll(async () => {
    const onDeath = (error: Error): void => {
      throw error;
    };
    const stages = deviceStages({ routes: () => [route] });
    device = await Device.start({ device: 'cpu', threads: 0, stages }, onDeath);
    batches = [];
    batcher = new Batcher((stageId, items) => {
      batches.push(items.map(({ tensors }) => tensors['image']!.data[0]!));
      return device.run(stageId, items);
    });
  });

  afterAll(async () => {
    await device.close();
  });

  it('shares batches with another job, and each gets its own pixels back', async () => {
    const jobs = [
      new RenderJob(batcher, route, solid(130, 70, red), null),
      new RenderJob(batcher, route, solid(60, 200, blue), null),
    ];
    await Promise.all(jobs.map((job) => job.run(undefined, () => undefined)));
    expect(batches.some((batch) => batch.includes(red[0]) && batch.includes(blue[0]))).toBe(true);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(4);
    // A network may tint a plain colour a little; the two are more than 100 apart.
    expect(distanceFrom(jobs[0]!.result, red)).toBeLessThan(16);
    expect(distanceFrom(jobs[1]!.result, blue)).toBeLessThan(16);
  });

  it('has a bounded number of tiles on their way', async () => {
    let underway = 0;
    let most = 0;
    const counting = new Batcher(async (stageId, items) => {
      const outcomes = await device.run(stageId, items);
      underway -= items.length;
      return outcomes;
    });
    const submit = counting.submit.bind(counting);
    counting.submit = (...item) => {
      most = Math.max(most, ++underway);
      return submit(...item);
    };
    await new RenderJob(counting, route, solid(400, 300, red), null).run(undefined, () => undefined);
    expect(most).toBe(2 * 4);
  });
});
