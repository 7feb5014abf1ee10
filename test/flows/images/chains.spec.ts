import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { readPicture } from '../../support/images/flow-picture.js';
import { portraitPng } from '../../support/images/portrait.js';
import { SharedService } from '../../support/roles/shared-service.js';

const CHAIN = [
  { operation: 'smooth_skin', level: 'high' },
  { operation: 'upscale', level: 'low' },
  { operation: 'bg_remove', level: 'medium' },
] as const;
const PNG = { format: 'png' } as const;

/** Largest difference of two pictures in a channel, ignoring the color of transparent pixels. */
function largestDifference(one: Uint8Array, other: Uint8Array): number {
  let largest = 0;
  for (let at = 0; at < one.length; at += 1) {
    const isHidden = at % 4 !== 3 && one[at | 3] === 0 && other[at | 3] === 0;
    if (!isHidden) largest = Math.max(largest, Math.abs(one[at]! - other[at]!));
  }
  return largest;
}

/** What is seen over white: RGB of each pixel. */
function overWhite(rgba: Uint8Array): Uint8Array {
  const seen = new Uint8Array(rgba.length);
  for (let at = 0; at < rgba.length; at += 1)
    seen[at] = at % 4 === 3 ? 255 : 255 - ((255 - rgba[at]!) * rgba[at | 3]!) / 255;
  return seen;
}

describe('a job of several operations', () => {
  let service: SharedService;
  let client: FlowClient;

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
  });
  afterAll(() => service?.close());

  it('matches its operations run one after the other', async () => {
    const file = await portraitPng(121, 97);
    const { job, bytes } = await client.enhance(file, { operations: [...CHAIN], output: PNG });
    let step = file;
    for (const order of CHAIN) step = (await client.enhance(step, { ...order, output: PNG })).bytes;
    const [chained, single] = [await readPicture(bytes), await readPicture(step)];
    expect(chained).toMatchObject({ width: 242, height: 194 });
    expect(chained.data.length).toBe(single.data.length);
    expect(largestDifference(chained.data, single.data)).toBeLessThanOrEqual(1);

    expect(job).toMatchObject({ operation: 'smooth_skin', level: 'high', progress: 1, attempts: 1 });
    expect(job.operations.map(({ operation, level }) => ({ operation, level }))).toEqual(CHAIN);
    expect(job.operations[0]!.model).toEqual(job.model);
    expect(new Set(job.operations.map(({ model }) => model!.sha256)).size).toBe(3);
    const stepMs = job.operations.map(({ timings }) => timings!.inferenceMs);
    const sumMs = stepMs.reduce((sum, ms) => sum + ms, 0);
    expect(Math.abs(sumMs - job.timings!.inferenceMs)).toBeLessThanOrEqual(2);
    expect((await client.usage()).enhancements.used).toBe(6);

    const again = await client.enhance(file, { operations: [...CHAIN], output: PNG });
    expect(again.job.operations.map(({ model }) => model)).toEqual(job.operations.map(({ model }) => model));
    expect(again.bytes.equals(bytes)).toBe(true);
  });

  it('enlarges a cutout without a rim of what is transparent, be it the background or black', async () => {
    const file = await portraitPng(121, 97);
    const steps = [{ operation: 'bg_remove', level: 'medium' }, CHAIN[1]] as const;
    const chained = await client.enhance(file, { operations: [...steps], output: PNG });
    let step = file;
    for (const order of steps) step = (await client.enhance(step, { ...order, output: PNG })).bytes;
    const [one, other] = [await readPicture(chained.bytes), await readPicture(step)];
    expect(largestDifference(overWhite(one.data), overWhite(other.data))).toBeLessThanOrEqual(2);
  });

  it('refunds everything when a later step fails', async () => {
    const { used } = (await client.usage()).enhancements;
    const { url } = await client.upload(await solidFile(64, 64, [120, 130, 140]));
    const { id } = await client.create(url, {
      operations: [{ operation: 'auto_enhance' }, CHAIN[2], CHAIN[1]],
    });
    const job = await client.until(id, 'failed', 'completed');
    expect(job).toMatchObject({ status: 'failed', error: { code: 'no_subject_found' } });
    expect((await client.usage()).enhancements.used).toBe(used);
  });
});
