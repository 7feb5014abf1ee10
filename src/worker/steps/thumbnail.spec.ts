import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import type { JobOutput } from '../../jobs/job-output.js';
import type { JobRun } from '../job-run.js';
import { makeThumbnail } from './thumbnail.js';

const SHAPE = { width: 20, height: 10, channels: 4 } as const;

describe('the thumbnail of a result', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thumbnail-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    [{ format: 'png', background: '#ff0000' }, 3],
    [{ format: 'jpeg', background: null }, 3],
    [{ format: 'png', background: null }, 4],
  ] as const)('is transparent only if the result is: %o', async (output, channels) => {
    const result = await PixelFile.create(join(folder, 'pixels.v'), SHAPE);
    await result.write({ x: 0, y: 0, ...SHAPE }, new Uint8Array(SHAPE.width * SHAPE.height * 4));
    await result.seal();
    const run = { job: { output: output as JobOutput } } as JobRun;
    const thumbnail = await makeThumbnail(run, { result, applied: {} });
    expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 20, channels });
    await result.remove();
  });
});
