import { expect, it } from 'vitest';
import { drawSolid, pipelineOf } from '../testing/still-images.js';
import { SNIFF_BYTES, sniffFormat } from './sniff.js';

const pixels = pipelineOf(drawSolid(16, 16, [90, 120, 60]));
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
/** A file of 54 bytes and pixels. */
const BMP = latin1('BM\x42\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0');

it.each([
  ['a GIF image', () => pixels.clone().gif().toBuffer()],
  ['a TIFF image', () => pixels.clone().tiff().toBuffer()],
  ['a TIFF image', () => latin1('MM\0*\0\0\0\x08\0\0\0\0')],
  ['a BMP image', () => BMP],
  ['a JPEG 2000 image', () => latin1('\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 ')],
  ['a JPEG 2000 image', () => latin1('\xff\x4f\xff\x51\0\x2f\0\0\0\0\0\x10')],
  ['a JPEG XL image', () => latin1('\0\0\0\x0cJXL \r\n\x87\n')],
  ['a JPEG XL image', () => latin1('\xff\x0a\xfa\x1f\x41\x91\x08\x06\x01\0\x48\0')],
  ['an SVG image', () => latin1('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['an SVG image', () => latin1('\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn -->\n<svg width="9"/>')],
  ['a PDF document', () => latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')],
])('names %s, which is no damaged file', async (name, make) => {
  const head = (await make()).subarray(0, SNIFF_BYTES);
  expect(() => sniffFormat(head)).toThrow(
    expect.objectContaining({
      code: 'unsupported_media_type',
      detail: `The file is ${name}. Send a JPEG, PNG, WebP or AVIF image.`,
    }) as Error,
  );
});

it.each([
  ['zeros', Buffer.alloc(256)],
  ['text', latin1('BMW and other cars, as text')],
  ['XML', latin1('<?xml version="1.0"?><html><body></body></html>')],
])('does not call %s an image', (_, head) => {
  expect(() => sniffFormat(head)).toThrow(
    expect.objectContaining({
      detail: "This type of file isn't supported. Send a JPEG, PNG, WebP or AVIF image.",
    }) as Error,
  );
});
