import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Order } from '../../support/roles/flow-client.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { enlargedBicubic } from '../../support/images/flow-bicubic.js';
import { drawnScene } from '../../support/images/flow-drawn.js';
import { halved, pngOf, psnrY, readPicture } from '../../support/images/flow-picture.js';
import { SharedService } from '../../support/roles/shared-service.js';

/** Photos for measuring may exist next to the repository; they are never part of it. */
const SET5 = '../shared/data/sr/Set5/x2';

const DOUBLING = ['low', 'medium'] as const;
const jobSpecOf = (level: 'low' | 'medium'): Order => ({
  operation: 'upscale',
  level,
  output: { format: 'png' },
});

/** Upscaling is worth its cost only where it beats what every viewer does by itself. */
describe('upscaling against bicubic', () => {
  let service: SharedService;
  let client: FlowClient;

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
  });
  afterAll(() => service?.close());

  it.each(DOUBLING)('is closer to a drawn scene, %s', async (level) => {
    const truth = drawnScene(192, 128);
    const small = halved(truth);
    const { bytes } = await client.enhance(await pngOf(small), jobSpecOf(level));
    const gain = psnrY(await readPicture(bytes), truth, 2) - psnrY(enlargedBicubic(small, 2), truth, 2);
    expect(gain, 'decibels over bicubic').toBeGreaterThan(0.3);
  });

  it.skipIf(!existsSync(SET5)).each(DOUBLING)('is closer to Set5 (../shared/data/sr), %s', async (level) => {
    const names = await readdir(join(SET5, 'LR'));
    const pairs = names.map(async (name) => {
      const file = await readFile(join(SET5, 'LR', name));
      const truth = await readPicture(await readFile(join(SET5, 'HR', name)));
      const { bytes } = await client.enhance(file, jobSpecOf(level));
      const bicubic = enlargedBicubic(await readPicture(file), 2);
      return [psnrY(await readPicture(bytes), truth, 2), psnrY(bicubic, truth, 2)] as const;
    });
    const measured = await Promise.all(pairs);
    const mean = (index: 0 | 1) => measured.reduce((sum, pair) => sum + pair[index], 0) / measured.length;
    // The published value for bicubic is 33.68, so the measurement itself is right.
    expect(mean(1)).toBeGreaterThan(33.3);
    expect(mean(0)).toBeGreaterThan(mean(1) + 1);
  });
});
