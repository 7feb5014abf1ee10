import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeImage } from '../../../src/infra/image/codec/decode.js';
import { IMAGE_FORMATS, SPECIFIED_OPERATIONS } from '../../../src/kernel/operations.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { displayP3File } from '../../support/images/flow-drawn.js';
import { alphaOf, meanColor, pixelAt, readPicture } from '../../support/images/flow-picture.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { cmykJpeg, deepPng, grayImage, phoneJpeg, photo } from '../../support/images/images.js';
import { portrait } from '../../support/images/portrait.js';

const LIMITS = { maxPixels: 1_000_000 };

/** What an operation must preserve in a picture. */
describe('fidelity', () => {
  let service: SharedService;
  let client: FlowClient;

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
  });
  afterAll(() => service?.close());

  describe('formats', () => {
    const pairs = IMAGE_FORMATS.flatMap((from) => IMAGE_FORMATS.map((to) => ({ from, to })));
    it.each(pairs)('converts $from to $to', async ({ from, to }) => {
      const order = { operation: 'upscale', level: 'low', output: { format: to } } as const;
      const { job, bytes } = await client.enhance(await photo(40, 24, from), order);
      expect(job.result).toMatchObject({ format: to, width: 80, height: 48 });
      expect(await decodeImage(bytes, LIMITS)).toMatchObject({ format: to, width: 80, height: 48 });
    });

    it.each(IMAGE_FORMATS)('keeps %s as %s by default', async (format) => {
      const { job } = await client.enhance(await photo(16, 16, format), { operation: 'auto_enhance' });
      expect(job.result!.format).toBe(format);
    });

    it('composites a cutout onto a background for JPEG', async () => {
      const source = await portrait('png');
      const cutOut = await client.enhance(source, { operation: 'bg_remove' });
      const output = { format: 'jpeg', background: '#20c040', quality: 95 } as const;
      const { job, bytes } = await client.enhance(source, { operation: 'bg_remove', output });
      expect(job.result!.format).toBe('jpeg');
      const [laid, cut] = [await readPicture(bytes), await readPicture(cutOut.bytes)];
      // Away from the subject: JPEG blurs its edge across a block.
      const places = Array.from(
        { length: 16 * 16 },
        (_, at) => [4 + (at % 16) * 8, 4 + (at >> 4) * 8] as const,
      );
      const away = places.filter(([x, y]) =>
        [-4, 0, 3].every((dy) => [-4, 0, 3].every((dx) => pixelAt(cut, x + dx, y + dy)[3] === 0)),
      );
      expect(away.length).toBeGreaterThan(10);
      for (const [x, y] of away) {
        const [red, green, blue] = pixelAt(laid, x, y);
        expect(Math.max(Math.abs(red - 0x20), Math.abs(green - 0xc0), Math.abs(blue - 0x40))).toBeLessThan(
          12,
        );
      }
    });
  });

  describe('unusual sources', () => {
    const sources = {
      '1×1': () => photo(1, 1, 'png'),
      '17×3': () => photo(17, 3, 'png'),
      'gray JPEG': () => grayImage(20, 20, 'jpeg'),
      'gray PNG': () => grayImage(20, 20, 'png'),
      '16-bit PNG': () => deepPng(20, 20),
      '16-bit PNG with alpha': () => deepPng(20, 20, 4),
      'CMYK JPEG': () => cmykJpeg(20, 20, [200, 120, 60]),
    };
    const people = ['gray JPEG', 'gray PNG', '16-bit PNG', '16-bit PNG with alpha', 'CMYK JPEG'] as const;
    const others = SPECIFIED_OPERATIONS.filter((operation) => operation !== 'bg_remove');
    const cases = [
      ...Object.entries(sources).flatMap(([name, make]) =>
        others.map((operation) => ({ name, operation, make })),
      ),
      ...people.map((name) => ({ name, operation: 'bg_remove', make: () => portrait(name) })),
    ];
    it.each(cases)('$name, $operation', async ({ operation, make }) => {
      const source = await client.upload(await make());
      const { job, bytes } = await client.enhanceSource(source.url, { operation });
      const scale = operation === 'upscale' ? 2 : 1;
      const size = { width: source.width * scale, height: source.height * scale };
      expect(job.result).toMatchObject(size);
      expect(await readPicture(bytes)).toMatchObject(size);
    });

    it.each(['1×1', '17×3'] as const)('%s has no subject to cut out', async (name) => {
      const { url } = await client.upload(await sources[name]());
      const { id } = await client.create(url, { operation: 'bg_remove' });
      expect((await client.until(id, 'failed')).error).toMatchObject({ code: 'no_subject_found' });
    });

    it('keeps the color of a CMYK source', async () => {
      const { bytes } = await client.enhance(await cmykJpeg(24, 24, [200, 60, 30]), {
        operation: 'upscale',
        output: { format: 'png' },
      });
      const [red, green, blue] = meanColor(await readPicture(bytes));
      // A print profile cannot hold the color exactly; inverted ink would be off by more than a hundred.
      expect(Math.abs(red - 200), `red ${red}`).toBeLessThan(16);
      expect(Math.abs(green - 60), `green ${green}`).toBeLessThan(16);
      expect(Math.abs(blue - 30), `blue ${blue}`).toBeLessThan(16);
    });
  });

  describe('camera metadata', () => {
    it('rotates the picture upright', async () => {
      // As stored, red grows to the right and green to the bottom; 6 means: rotate it 90° clockwise.
      const source = await client.upload(await phoneJpeg(60, 40, 6));
      expect(source).toMatchObject({ width: 40, height: 60 });
      const { job, bytes } = await client.enhanceSource(source.url, {
        operation: 'upscale',
        output: { format: 'png' },
      });
      expect(job.result).toMatchObject({ width: 80, height: 120 });
      const upright = await readPicture(bytes);
      const [top, bottom] = [pixelAt(upright, 40, 4), pixelAt(upright, 40, 115)];
      const [left, right] = [pixelAt(upright, 4, 60), pixelAt(upright, 75, 60)];
      expect(bottom[0] - top[0], 'red grows downwards').toBeGreaterThan(100);
      expect(left[1] - right[1], 'green grows to the left').toBeGreaterThan(100);
    });

    it.each(IMAGE_FORMATS)('strips location, camera and owner from a %s', async (format) => {
      const source = await phoneJpeg(32, 32, 1);
      expect(source.includes('Testcam')).toBe(true);
      const { bytes } = await client.enhance(source, { operation: 'auto_enhance', output: { format } });
      for (const trace of ['Testcam', 'Nobody', 'Exif\0', 'EXIF', 'eXIf', 'GPS'])
        expect(bytes.includes(trace), trace).toBe(false);
    });
  });

  describe('color profiles', () => {
    it.each(['png', 'jpeg'] as const)('honors Display P3 in a %s and attaches sRGB', async (format) => {
      const color = [200, 90, 60] as const;
      const source = await displayP3File(color, format);
      // Its stored numbers differ, so a service that ignored the profile would fail here.
      const stored = meanColor(await readPicture(source));
      expect(Math.abs(stored[0] - color[0])).toBeGreaterThan(5);
      for (const operation of ['upscale', 'smooth_skin']) {
        const { bytes } = await client.enhance(source, { operation, output: { format: 'png' } });
        const mean = meanColor(await readPicture(bytes));
        for (const channel of [0, 1, 2] as const)
          expect(Math.abs(mean[channel] - color[channel]), `${operation} ${mean.join()}`).toBeLessThan(3);
        expect(bytes.includes('iCCP')).toBe(true);
      }
    });
  });

  describe('alpha', () => {
    /** Falls from left to right. */
    const source = () => photo(48, 32, 'png', 4);

    it.each(['smooth_skin', 'auto_enhance'])('is preserved exactly by %s', async (operation) => {
      const bytes = await source();
      const result = await readPicture((await client.enhance(bytes, { operation, level: 'high' })).bytes);
      expect(alphaOf(result)).toEqual(alphaOf(await readPicture(bytes)));
    });

    it('is scaled with the picture', async () => {
      const bytes = await source();
      const before = await readPicture(bytes);
      const after = await readPicture((await client.enhance(bytes, { operation: 'upscale' })).bytes);
      for (let x = 0; x < after.width; x += 1) {
        const expected = pixelAt(before, x >> 1, 10)[3];
        expect(Math.abs(pixelAt(after, x, 20)[3] - expected), `column ${x}`).toBeLessThan(8);
      }
    });

    it('limits the alpha of the cutout', async () => {
      const bytes = await portrait('fading PNG');
      const before = alphaOf(await readPicture(bytes));
      const after = alphaOf(
        await readPicture((await client.enhance(bytes, { operation: 'bg_remove' })).bytes),
      );
      expect(after).toHaveLength(before.length);
      for (const [at, alpha] of after.entries()) expect(alpha).toBeLessThanOrEqual(before[at]! + 1);
    });

    it('survives WebP and AVIF', async () => {
      for (const format of ['webp', 'avif'] as const) {
        const order = { operation: 'smooth_skin', output: { format } } as const;
        const { bytes } = await client.enhance(await photo(32, 32, format, 4), order);
        const result = await decodeImage(bytes, LIMITS);
        expect(result.channels).toBe(4);
        expect(result.data[3], 'the left edge').toBeGreaterThan(240);
        expect(result.data[31 * 4 + 3], 'the right edge').toBeLessThan(25);
      }
    });
  });
});
