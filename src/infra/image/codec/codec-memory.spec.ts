import { describe, expect, it } from 'vitest';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import {
  bytesToDecode,
  decodingBytes,
  estimatedEncodingBytes,
  leastEncodingBytes,
  mostDecodingBytes,
} from './codec-memory.js';

const PIXELS = 12e6;
const EITHER = [false, true] as const;

/** Every combination that the header of a format can state. */
function* headers() {
  for (const format of IMAGE_FORMATS)
    for (const channels of [1, 2, 3, 4])
      for (const isInterlaced of EITHER)
        for (const isTurned of EITHER)
          // The library reads no JPEG with more than 8 bits per channel.
          for (const isDeep of format === 'jpeg' ? [false] : EITHER)
            yield { format, channels, isInterlaced, isTurned, isDeep };
}

describe('the memory of decoders', () => {
  it('never exceeds the maximum of the format, whatever the header states', () => {
    for (const header of headers())
      expect(bytesToDecode(header, PIXELS), JSON.stringify(header)).toBeLessThanOrEqual(
        mostDecodingBytes(header.format, PIXELS),
      );
  });

  it('has a maximum of less than twice the usual amount of the format', () => {
    for (const format of IMAGE_FORMATS)
      expect(mostDecodingBytes(format, PIXELS)).toBeLessThan(2 * decodingBytes(format, PIXELS));
    expect(mostDecodingBytes('jpeg', PIXELS)).toBeGreaterThan(decodingBytes('jpeg', PIXELS));
  });
});

describe('the memory of the AVIF encoder', () => {
  const MIB = 2 ** 20;
  // Measured: VmHWM of a process minus its previous value, for a photo with noise as transparency.
  it.each([
    ['4:4:4', 906],
    ['4:2:0', 701],
  ] as const)(
    'is estimated at the measured amount for 20 MP with transparency as %s',
    (chroma, measuredMib) => {
      const traits = { format: 'avif', hasAlpha: true } as const;
      const bytes =
        chroma === '4:2:0'
          ? leastEncodingBytes(traits, 5164 * 3873)
          : estimatedEncodingBytes(traits, 5164 * 3873, Infinity);
      expect(bytes).toBeGreaterThanOrEqual(measuredMib * MIB);
      expect(bytes).toBeLessThan(1.01 * measuredMib * MIB);
    },
  );
});
