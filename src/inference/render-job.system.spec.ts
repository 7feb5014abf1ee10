import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../models/repository/load-catalog.js';
import type { ModelRoute } from '../models/manifest/model-route.js';
import type { RawImage } from '../kernel/pixels.js';
import { Batcher } from './batcher.js';
import { Device } from './device/device.js';
import { deviceStages } from './device-stages.js';
import { InMemorySink, InMemorySource } from './in-memory-pixels.js';
import { RenderJob, renderedShape } from './render-job.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const committed = catalog.route('upscale', 'low')!;
const route: ModelRoute = { ...committed, render: { ...committed.render, tile: 32, maxBatch: 4 } };

type Color = readonly [number, number, number];
const red: Color = [230, 40, 30];
const blue: Color = [20, 60, 220];

function solid(width: number, height: number, color: Color): RawImage {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => color[index % 3]!);
  return { data, width, height, channels: 3 };
}

/** An image whose tiles all differ. */
function pattern(width: number, height: number): RawImage {
  const data = Uint8Array.from(
    { length: width * height * 3 },
    (_, index) => (index * 37 + (index >> 8)) & 255,
  );
  return { data, width, height, channels: 3 };
}

/** The maximum difference of any byte from a solid color. */
const distanceFrom = (image: RawImage, color: Color): number =>
  image.data.reduce((largest, value, index) => Math.max(largest, Math.abs(value - color[index % 3]!)), 0);

interface Job {
  readonly job: RenderJob;
  readonly result: () => RawImage;
}

function jobOf(batcher: Batcher, image: RawImage, maxBlockBytes?: number): Job {
  const sink = new InMemorySink(renderedShape(route, image));
  const source = new InMemorySource(image);
  const options = { route, source, sink, analysis: null };
  const bounded = maxBlockBytes === undefined ? options : { ...options, maxBlockBytes };
  return { job: new RenderJob(batcher, bounded), result: () => sink.image };
}

describe('RenderJob', () => {
  let device: Device;
  /** The first byte of each item of each batch, which identifies its job. */
  let batches: number[][];
  let batcher: Batcher;

  beforeAll(async () => {
    const onDeath = (error: Error): void => {
      throw error;
    };
    const stages = deviceStages({ routes: () => [route] });
    device = await Device.start(
      { device: 'cpu', threads: 0, streams: 1, largestBatch: 4, stages },
      { onDeath },
    );
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
    const jobs = [jobOf(batcher, solid(130, 70, red)), jobOf(batcher, solid(60, 200, blue))];
    await Promise.all(jobs.map(({ job }) => job.run(undefined, () => undefined)));
    expect(batches.some((batch) => batch.includes(red[0]) && batch.includes(blue[0]))).toBe(true);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(4);
    // A network may tint a solid color slightly; the two differ by more than 100.
    expect(distanceFrom(jobs[0]!.result(), red)).toBeLessThan(16);
    expect(distanceFrom(jobs[1]!.result(), blue)).toBeLessThan(16);
  });

  it('has a bounded number of tiles in flight', async () => {
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
    await jobOf(counting, solid(400, 300, red)).job.run(undefined, () => undefined);
    expect(most).toBe(3 * 4);
  });

  it('gives the same result in blocks of one tile as in one block', async () => {
    const image = pattern(230, 101);
    const whole = jobOf(batcher, image);
    await whole.job.run(undefined, () => undefined);
    const inBlocks = jobOf(batcher, image, 1);
    await inBlocks.job.run(undefined, () => undefined);
    expect(Buffer.compare(inBlocks.result().data, whole.result().data)).toBe(0);
  });

  it('reads blocks on demand: two are in memory, whatever the height of the image', async () => {
    const image = solid(32, 32 * 20, red);
    const source = new InMemorySource(image);
    const sink = new InMemorySink(renderedShape(route, image));
    let open = 0;
    let most = 0;
    const read = source.read.bind(source);
    source.read = async (region, into) => {
      most = Math.max(most, ++open);
      await read(region, into);
    };
    const write = sink.write.bind(sink);
    sink.write = async (region, rows) => {
      await write(region, rows);
      open--;
    };
    const job = new RenderJob(batcher, { route, source, sink, analysis: null, maxBlockBytes: 1 });
    await job.run(undefined, () => undefined);
    expect(open).toBe(0);
    expect(most).toBe(2);
  });

  it.each(['read', 'write'] as const)(
    'rejects with the reason when a %s fails, and leaves nothing waiting',
    async (method) => {
      const image = solid(200, 200, red);
      const source = new InMemorySource(image);
      const sink = new InMemorySink(renderedShape(route, image));
      const fail = (): Promise<void> => Promise.reject(new Error('no room left'));
      if (method === 'read') source.read = fail;
      else sink.write = fail;
      const job = new RenderJob(batcher, { route, source, sink, analysis: null, maxBlockBytes: 1 });
      await expect(job.run(undefined, () => undefined)).rejects.toThrow('no room left');
    },
  );

  it('rejects with the reason of the signal while it waits for a block', async () => {
    const abort = new AbortController();
    const image = solid(64, 320, red);
    const source = new InMemorySource(image);
    const sink = new InMemorySink(renderedShape(route, image));
    // A slow disk: the rendered blocks stay in memory until the job is stopped.
    let onWrite = (): void => undefined;
    const writing = new Promise<void>((resolve) => (onWrite = resolve));
    const stopped = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve()));
    sink.write = () => {
      onWrite();
      return stopped;
    };
    const job = new RenderJob(batcher, { route, source, sink, analysis: null, maxBlockBytes: 1 });
    const ended = job.run(abort.signal, () => undefined);
    await writing;
    abort.abort(new Error('canceled by test'));
    await expect(ended).rejects.toThrow('canceled by test');
  });
});
