import { describe, expect, it } from 'vitest';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import {
  bytesToDecode,
  decodingBytes,
  encodingBytes,
  worstCaseEncodingBytes,
  bestCaseEncodingBytes,
  worstCaseDecodingBytes,
  maxPixelsEncoded,
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
        worstCaseDecodingBytes(header.format, PIXELS),
      );
  });

  it('has a maximum of less than twice the usual amount of the format', () => {
    for (const format of IMAGE_FORMATS)
      expect(worstCaseDecodingBytes(format, PIXELS)).toBeLessThan(2 * decodingBytes(format, PIXELS));
    expect(worstCaseDecodingBytes('jpeg', PIXELS)).toBeGreaterThan(decodingBytes('jpeg', PIXELS));
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
          ? bestCaseEncodingBytes(traits, 5164 * 3873)
          : worstCaseEncodingBytes(traits, 5164 * 3873, Infinity);
      expect(bytes).toBeGreaterThanOrEqual(measuredMib * MIB);
      expect(bytes).toBeLessThan(1.01 * measuredMib * MIB);
    },
  );
});

describe('the memory of the WebP encoder with transparency', () => {
  const traits = { format: 'webp', hasAlpha: true } as const;
  // Measured: VmHWM of a process minus its previous value, bytes per pixel at 24 MP.
  const [CUTOUT, NOISE] = [19.6, 36.1];

  it('is estimated at that of a cutout, and has a maximum for transparency that differs from pixel to pixel', () => {
    expect(encodingBytes(traits, 24e6)).toBeGreaterThanOrEqual(24e6 * CUTOUT);
    expect(encodingBytes(traits, 24e6)).toBeLessThan(24e6 * 1.1 * CUTOUT);
    expect(worstCaseEncodingBytes(traits, 24e6, Infinity)).toBeGreaterThanOrEqual(24e6 * NOISE);
  });

  it('does not keep a cutout of 50 MP from being encoded', () => {
    expect(bestCaseEncodingBytes(traits, 50e6)).toBeLessThan(740e6);
    expect(maxPixelsEncoded(traits, 740e6)).toBeGreaterThan(50e6);
  });
});
