import type { RawImage } from '#src/kernel/pixels.js';

/** Fraction of the pixels that becomes black, and fraction that becomes white. */
const CLIPPED = 0.01;

/** Stretches each channel between its 1st and 99th percentiles, like "auto levels" in a photo editor. */
export function autoLevels(image: RawImage): RawImage {
  const data = new Uint8Array(image.data);
  const pixels = image.width * image.height;
  for (let channel = 0; channel < 3; channel++) {
    const values = Uint8Array.from({ length: pixels }, (_, at) => image.data[at * image.channels + channel]!);
    const ordered = values.toSorted();
    const low = ordered[Math.round(CLIPPED * (pixels - 1))]!;
    const high = ordered[Math.round((1 - CLIPPED) * (pixels - 1))]!;
    for (const [at, value] of values.entries()) {
      const stretched = ((value - low) * 255) / Math.max(1, high - low);
      data[at * image.channels + channel] = Math.min(255, Math.max(0, Math.round(stretched)));
    }
  }
  return { ...image, data };
}
