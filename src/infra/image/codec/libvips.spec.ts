import { describe, expect, it } from 'vitest';
import { libvips } from './libvips.js';
import { photo } from '../testing/still-images.js';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';

const GIF = Buffer.from(
  'GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;',
  'latin1',
);
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
);
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');

describe('libvips', () => {
  it.each([
    ['GIF', GIF],
    ['SVG', SVG],
    ['PDF', PDF],
    ['PPM', Buffer.from('P6 1 1 255\nabc')],
  ])('opens no %s', async (_name, bytes) => {
    await expect(libvips()(bytes).metadata()).rejects.toThrow(/unsupported image format/);
  });

  it('opens no TIFF, not even one that it wrote itself', async () => {
    const raw = { width: 4, height: 4, channels: 3 } as const;
    const tiff = await libvips()(Buffer.alloc(48), { raw }).tiff().toBuffer();
    await expect(libvips()(tiff).metadata()).rejects.toThrow(/unsupported image format/);
  });

  it.each(IMAGE_FORMATS)('opens %s', async (format) => {
    expect((await libvips()(await photo(9, 7, format)).metadata()).width).toBe(9);
  });
});
