import { expect, it } from 'vitest';
import type { Harness } from './harness.js';

/** A stored file, by the path of its signed URL. */
export interface ServedFile {
  readonly harness: Harness;
  readonly path: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** @throws AssertionError when the file does not offer ranges */
export async function servedFile(harness: Harness, path: string, bytes: Buffer): Promise<ServedFile> {
  const { status, headers } = await harness.call('GET', path);
  expect(status).toBe(200);
  expect(headers['accept-ranges']).toBe('bytes');
  return { harness, path, bytes, etag: headers['etag']! };
}

/** Tests that a request for one range of a file returns that part of it. */
export function itAnswersOneRange(file: () => ServedFile): void {
  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=3-3', 3, 4],
    ['bytes=5-999999999', 5, undefined],
  ])('%s answers only that part', async (range, start, end) => {
    const { harness, path, bytes, etag } = file();
    const { status, body, headers } = await harness.call('GET', path, { headers: { range } });
    const part = bytes.subarray(start, end);
    const first = start < 0 ? bytes.length + start : start;
    expect(status).toBe(206);
    expect(Buffer.compare(body as Buffer, part)).toBe(0);
    expect(headers).toMatchObject({
      'content-range': `bytes ${first}-${first + part.length - 1}/${bytes.length}`,
      'content-length': String(part.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag,
    });
  });
}

/** Tests that a range beyond the end of a file is refused, and that only the owner learns the size. */
export function itRefusesRangesAfterTheEnd(file: () => ServedFile): void {
  it('for a part after the end, and names the size', async () => {
    const { harness, path, bytes } = file();
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0', 'bytes=99999999-']) {
      const { status, body, headers } = await harness.call('GET', path, { headers: { range } });
      expect({ range, status, body: body as unknown }).toMatchObject({
        range,
        status: 416,
        body: { code: 'range_not_satisfiable' },
      });
      expect(headers['content-range']).toBe(`bytes */${bytes.length}`);
    }
    const unsigned = await harness.call('GET', path.split('?')[0]!, {
      headers: { range: 'bytes=99999999-' },
    });
    expect(unsigned.status).toBe(404);
    expect(unsigned.headers).not.toHaveProperty('content-range');
  });
}
