import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { ScratchDir } from '../../infra/storage/scratch.js';
import { RESULT_SIDE_PIXELS, samplePhoto } from './sample-photo.js';

/** The side of a sample at this scale, in pixels. */
const SIDE = 8;
const SCALE = RESULT_SIDE_PIXELS / SIDE;

describe('the sample of a photo that versions enlarge', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ies-sample-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  /** Its pixels are their coordinates. */
  async function photoOf(width: number, height: number): Promise<PixelFile> {
    const photo = await PixelFile.create(join(dir, `${width}x${height}.tif`), { width, height, channels: 3 });
    const pixels = Array.from({ length: width * height }, (_, at) => [at % width, Math.floor(at / width), 7]);
    await photo.write({ x: 0, y: 0, width, height }, new Uint8Array(pixels.flat()));
    await photo.seal();
    return photo;
  }

  async function roomOf({ width, height }: PixelFile): Promise<ScratchDir> {
    const room = new ScratchDir(join(dir, `sample-of-${width}x${height}`));
    await room.make();
    return room;
  }

  it.each([
    [20, 30, { width: 8, height: 8 }, [6, 11, 7]],
    [20, 5, { width: 8, height: 5 }, [6, 0, 7]],
    [5, 30, { width: 5, height: 8 }, [0, 11, 7]],
  ] as const)('of %d × %d pixels is its center at full size', async (width, height, size, first) => {
    const photo = await photoOf(width, height);
    const sample = await samplePhoto(photo, SCALE, await roomOf(photo));
    expect({ width: sample.width, height: sample.height }).toEqual(size);
    const rows = new Uint8Array(size.width * size.height * 3);
    await sample.read({ x: 0, y: 0, ...size }, rows);
    expect([...rows.subarray(0, 3)]).toEqual(first);
    const last = [first[0] + size.width - 1, first[1] + size.height - 1, 7];
    expect([...rows.subarray(-3)]).toEqual(last);
    await Promise.all([photo.close(), sample.close()]);
  });

  it('is the photo itself when it is small enough', async () => {
    const photo = await photoOf(8, 6);
    expect(await samplePhoto(photo, SCALE, await roomOf(photo))).toBe(photo);
    await photo.close();
  });
});
