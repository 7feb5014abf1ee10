import { describe, expect, it } from 'vitest';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import { bytesToDecode, decodingBytes, mostDecodingBytes } from './codec-memory.js';

const PIXELS = 12e6;
const EITHER = [false, true] as const;

/** The most that a header of a format can state. */
function* headers() {
  for (const format of IMAGE_FORMATS)
    for (const channels of [1, 2, 3, 4])
      for (const isInterlaced of EITHER)
        for (const isTurned of EITHER)
          // The library reads no JPEG with more than 8 bits.
          for (const isDeep of format === 'jpeg' ? [false] : EITHER)
            yield { format, channels, isInterlaced, isTurned, isDeep };
}

describe('what decoders keep', () => {
  it('is at most what is said of the format, whatever the header says', () => {
    for (const header of headers())
      expect(bytesToDecode(header, PIXELS), JSON.stringify(header)).toBeLessThanOrEqual(
        mostDecodingBytes(header.format, PIXELS),
      );
  });

  it('is hardly ever more than what is usual for the format', () => {
    for (const format of IMAGE_FORMATS)
      expect(mostDecodingBytes(format, PIXELS)).toBeLessThan(2 * decodingBytes(format, PIXELS));
    expect(mostDecodingBytes('jpeg', PIXELS)).toBeGreaterThan(decodingBytes('jpeg', PIXELS));
  });
});
