import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { SharedService } from '../../support/roles/shared-service.js';

const SIDE = 256;
/** Where the pictures go for people to look at. */
const FOLDER = process.env['OUTPUTS_DIR'];

async function keep(name: string, bytes: Buffer): Promise<void> {
  if (FOLDER === undefined) return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}/${name}`, bytes);
}

/** Exact outputs: what a client can request besides the operation. */
describe('a result with output options', () => {
  let service: SharedService;
  let client: FlowClient;
  let portrait: string;
  let cutout: Buffer;

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
    const photo = await sharp(await readFile('scripts/assets/astronaut.png'))
      .resize(SIDE, SIDE)
      .withExif({ IFD0: { Artist: 'Ada' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg({ quality: 95 })
      .toBuffer();
    portrait = (await client.upload(photo)).url;
    ({ bytes: cutout } = await client.enhanceSource(portrait, { operation: 'bg_remove' }));
  });
  afterAll(() => service?.close());

  const ordered = async (name: string, output: object, operation = 'bg_remove') => {
    const { job, bytes } = await client.enhanceSource(portrait, { operation, output });
    await keep(name, bytes);
    return { job, bytes, applied: job.result!.applied!, picture: await sharp(bytes).metadata() };
  };
  const alphaOf = (bytes: Buffer) => sharp(bytes).extractChannel(3).raw().toBuffer();

  it('is cropped to the subject and its soft shadow, and reports the crop and confidence', async () => {
    const { job, bytes, applied, picture } = await ordered('crop-shadow.png', {
      crop: 'subject',
      padding: 0.05,
      shadow: true,
    });
    const { crop, shadow, confidence } = applied;
    expect(job.result).toMatchObject({ width: crop!.width, height: crop!.height, bytes: bytes.length });
    expect(picture).toMatchObject({ width: crop!.width, height: crop!.height, channels: 4 });
    expect(shadow).toMatchObject({ opacity: 0.4 });
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThanOrEqual(1);
    // The subject stays where it was.
    const alpha = await alphaOf(bytes);
    const before = await alphaOf(cutout);
    const lost = before.filter((value, at) => {
      const [x, y] = [(at % SIDE) - crop!.x, Math.floor(at / SIDE) - crop!.y];
      return value >= 10 && !(alpha[y * crop!.width + x]! >= value - 1);
    });
    expect(lost).toHaveLength(0);
    expect(job.output).toMatchObject({ crop: 'subject', padding: 0.05, shadow: { opacity: 0.4 } });
  });

  it('contains the matte or its outline as a gray image', async () => {
    const mask = await ordered('mask.png', { kind: 'mask' });
    expect(mask.picture).toMatchObject({ width: SIDE, height: SIDE, channels: 1, depth: 'uchar' });
    expect(await sharp(mask.bytes).extractChannel(0).raw().toBuffer()).toEqual(await alphaOf(cutout));
    expect(mask.applied).toMatchObject({ kind: 'mask' });
    const edges = await ordered('edges.jpg', { kind: 'edges', format: 'jpeg' });
    expect(edges.picture).toMatchObject({ format: 'jpeg', channels: 1 });
  });

  it('places the subject on another upload', async () => {
    const stripes = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#2040c0' } })
      .png()
      .toBuffer();
    const { url: sourceUrl, id } = await client.upload(stripes);
    const { job, picture, applied, bytes } = await ordered('background.jpg', {
      format: 'jpeg',
      background: { sourceUrl },
      shadow: true,
    });
    expect(picture).toMatchObject({ width: SIDE, height: SIDE, channels: 3 });
    expect(applied.background).toBe('picture');
    expect(job.output.background).toEqual({
      sourceUrl: expect.stringContaining(id) as unknown,
      fit: 'cover',
    });
    const corner = await sharp(bytes).extract({ left: 0, top: 0, width: 4, height: 4 }).raw().toBuffer();
    expect([...corner.subarray(0, 3)].map((value) => Math.round(value / 8))).toEqual([4, 8, 24]);
    const { bytes: bars } = await ordered('contain.png', { background: { sourceUrl, fit: 'contain' } });
    // The background is wider than it is high, so above it nothing lies behind the subject.
    expect((await alphaOf(bars))[0]).toBe(0);
    await client.deleteSource(id);
    const { status, json } = await client.request('POST', '/api/ai/enhance', {
      sourceUrl: portrait,
      operation: 'bg_remove',
      output: { background: { sourceUrl } },
    });
    expect([status, json['code']]).toEqual([410, 'gone']);
  });

  it('keeps metadata without the location, and records its provenance', async () => {
    const { picture, applied } = await ordered(
      'metadata.jpg',
      { metadata: 'keep-no-gps', provenance: true },
      'auto_enhance',
    );
    expect(picture.exif!.toString('latin1')).toContain('Ada');
    expect(picture.exif!.toString('latin1')).not.toContain('GPS');
    expect(picture.xmpAsString).toContain('digitalsourcetype/algorithmicallyEnhanced');
    expect(applied).toMatchObject({
      metadata: 'keep-no-gps',
      digitalSourceType: 'algorithmicallyEnhanced',
      quality: 90,
    });
    const { picture: plain } = await ordered('plain.jpg', {}, 'auto_enhance');
    expect([plain.exif, plain.xmp, plain.hasProfile]).toEqual([undefined, undefined, true]);
  });

  it('has the requested exact size, and honors a custom strength', async () => {
    const dark = sharp(await readFile('scripts/assets/astronaut.png'))
      .removeAlpha()
      .resize(96, 64)
      .linear(0.4, 0);
    const small = await client.upload(await dark.png().toBuffer());
    const { job, bytes } = await client.enhanceSource(small.url, {
      operation: 'upscale',
      width: 150,
      height: 150,
      fit: 'cover',
    });
    await keep('exact.png', bytes);
    expect(job).toMatchObject({
      level: 'high',
      operations: [{ operation: 'upscale', width: 150, height: 150, fit: 'cover' }],
      result: { width: 150, height: 150 },
    });
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 150, height: 150 });
    const [none, strong] = await Promise.all(
      [0, 1].map((strength) => client.enhanceSource(small.url, { operation: 'auto_enhance', strength })),
    );
    const pixelsOf = (picture: Buffer) => sharp(picture).raw().toBuffer();
    const source = await pixelsOf(await client.bytesAt(small.url));
    const changed = async ({ bytes: result }: { bytes: Buffer }): Promise<number> =>
      (await pixelsOf(result)).filter((value, at) => Math.abs(value - source[at]!) > 2).length;
    expect(await changed(none!)).toBe(0);
    expect(await changed(strong!)).toBeGreaterThan(source.length / 10);
    expect(strong!.job.operations[0]).toMatchObject({ strength: 1 });
  });

  it('lowers its quality to fit a size limit, and costs nothing when it cannot', async () => {
    const jpeg = { format: 'jpeg', background: '#ffffff' };
    const { bytes, applied } = await ordered('small.jpg', { ...jpeg, maxBytes: 7_500 });
    expect(bytes.length).toBeLessThanOrEqual(7_500);
    expect(bytes.length).toBeGreaterThan(6_000);
    expect(applied.quality).toBeLessThan(90);
    const { enhancements } = await client.usage();
    const { id } = await client.create(portrait, {
      operation: 'auto_enhance',
      output: { format: 'png', maxBytes: 5_000 },
    });
    const { status, error } = await client.until(id, 'completed', 'failed');
    expect(status).toBe('failed');
    expect(error).toMatchObject({
      code: 'result_too_large',
      message: expect.stringMatching(/takes \d+ bytes as PNG\. output\.maxBytes allows 5000\./) as unknown,
      retryable: false,
    });
    expect((await client.usage()).enhancements.used).toBe(enhancements.used);
    const small = await client.create(portrait, {
      operation: 'auto_enhance',
      output: { format: 'webp', maxBytes: 1_000 },
    });
    expect((await client.until(small.id, 'completed', 'failed')).error?.message).toMatch(
      /as WebP at quality 20\./,
    );
  });
});
