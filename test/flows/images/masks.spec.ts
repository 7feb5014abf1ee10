import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPicture, type Picture, pixelAt } from '../../support/images/flow-picture.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { SharedService } from '../../support/roles/shared-service.js';

const SIDE = 256;
/** Coordinates in the mask, which has half the size of the photo. */
const KEPT = { left: 2, top: 2, width: 24, height: 24 };
const ERASED = { left: 52, top: 40, width: 24, height: 24 };

/** Half the size of the photo, mid-gray, with one white and one black square. */
function maskOf(): Promise<Buffer> {
  const square = (background: string) => ({
    create: { width: 24, height: 24, channels: 3 as const, background },
  });
  return sharp({ create: { width: SIDE / 2, height: SIDE / 2, channels: 3, background: '#808080' } })
    .composite([
      { input: square('#ffffff'), left: KEPT.left, top: KEPT.top },
      { input: square('#000000'), left: ERASED.left, top: ERASED.top },
    ])
    .png()
    .toBuffer();
}

/** Alpha values of a mask square in a picture, without its outermost pixels, which scaling softens. */
function alphasIn(picture: Picture, { left, top, width, height }: typeof KEPT): Set<number> {
  const scale = picture.width / (SIDE / 2);
  const inset = 2 * scale;
  const found = new Set<number>();
  for (let y = top * scale + inset; y < (top + height) * scale - inset; y++)
    for (let x = left * scale + inset; x < (left + width) * scale - inset; x++)
      found.add(pixelAt(picture, x, y)[3]);
  return found;
}

describe('a cutout corrected by a mask', () => {
  let service: SharedService;
  let client: FlowClient;
  let sourceUrl: string;
  let mask: { sourceUrl: string };

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
    const photo = sharp(await readFile('scripts/assets/astronaut.png')).resize(SIDE, SIDE);
    sourceUrl = (await client.upload(await photo.png().toBuffer())).url;
    mask = { sourceUrl: (await client.upload(await maskOf())).url };
  });
  afterAll(() => service?.close());

  const enhanced = async (order: object) => {
    const { job, bytes } = await client.enhanceSource(sourceUrl, order);
    return { job, picture: await readPicture(bytes) };
  };

  it('is opaque under white, transparent under black, and unchanged elsewhere', async () => {
    const { picture: plain } = await enhanced({ operation: 'bg_remove' });
    const { picture, job } = await enhanced({ operation: 'bg_remove', mask });
    // Otherwise the mask would change nothing.
    expect(Math.min(...alphasIn(plain, KEPT))).toBeLessThan(128);
    expect(Math.max(...alphasIn(plain, ERASED))).toBeGreaterThan(128);
    expect(alphasIn(picture, KEPT)).toEqual(new Set([255]));
    expect(alphasIn(picture, ERASED)).toEqual(new Set([0]));
    const original = await readPicture(
      await sharp(await readFile('scripts/assets/astronaut.png'))
        .resize(SIDE, SIDE)
        .ensureAlpha()
        .png()
        .toBuffer(),
    );
    expect(pixelAt(picture, 20, 20).slice(0, 3)).toEqual(pixelAt(original, 20, 20).slice(0, 3));
    for (const [x, y] of [
      [128, 230],
      [200, 128],
      [250, 10],
      [90, 60],
    ] as const)
      expect(pixelAt(picture, x, y), `${x}, ${y}`).toEqual(pixelAt(plain, x, y));
    expect(job.operations[0]).toHaveProperty('mask.sourceUrl');
    // At the edge of the painted square, alpha changes gradually.
    const edge = Array.from({ length: 12 }, (_, index) => pixelAt(picture, 46 + index, 24)[3]);
    expect(edge.filter((alpha) => alpha > 0 && alpha < 255).length).toBeGreaterThan(1);
  });

  it('applies the mask in a chain', async () => {
    const operations = [
      { operation: 'bg_remove', mask },
      { operation: 'upscale', level: 'low' },
    ];
    const { picture } = await enhanced({ operations });
    expect(picture.width).toBe(2 * SIDE);
    expect(Math.min(...alphasIn(picture, KEPT))).toBeGreaterThanOrEqual(254);
    expect(Math.max(...alphasIn(picture, ERASED))).toBeLessThanOrEqual(1);
    const after = await enhanced({
      operations: [
        { operation: 'upscale', level: 'low' },
        { operation: 'bg_remove', mask },
      ],
    });
    expect(alphasIn(after.picture, KEPT)).toEqual(new Set([255]));
  });

  it('fails the job if nothing is left of the subject, and charges nothing', async () => {
    const black = { create: { width: SIDE, height: SIDE, channels: 3 as const, background: '#000000' } };
    const { url } = await client.upload(await sharp(black).png().toBuffer());
    const { used } = (await client.usage()).enhancements;
    for (const output of [{}, { background: '#ffffff' }, { kind: 'mask' }] as const) {
      const order = { operation: 'bg_remove', mask: { sourceUrl: url }, output };
      const { id } = await client.create(sourceUrl, order);
      expect(await client.until(id, 'completed', 'failed')).toMatchObject({
        status: 'failed',
        error: { code: 'no_subject_found', message: expect.stringContaining('The mask erases everything') },
      });
    }
    expect((await client.usage()).enhancements.used).toBe(used);
  });

  it('is rejected when the mask has been deleted', async () => {
    const { url, id } = await client.upload(await maskOf());
    await client.deleteSource(id);
    const order = { sourceUrl, operation: 'bg_remove', mask: { sourceUrl: url } };
    const { status, json } = await client.request('POST', '/api/ai/enhance', order);
    expect([status, json['code']]).toEqual([410, 'gone']);
  });

  it('fails a job whose mask is deleted before the job uses it, and charges nothing', async () => {
    const { url, id } = await client.upload(await maskOf());
    const used = (await client.usage()).enhancements.used;
    const { id: jobId } = await client.create(sourceUrl, {
      operations: [
        { operation: 'upscale', level: 'high' },
        { operation: 'auto_enhance' },
        { operation: 'bg_remove', mask: { sourceUrl: url } },
      ],
    });
    await client.deleteSource(id);
    expect(await client.until(jobId, 'completed', 'failed')).toMatchObject({
      status: 'failed',
      error: { code: 'gone', message: 'The mask was deleted before the job used it.' },
    });
    expect((await client.usage()).enhancements.used).toBe(used);
  });
});
