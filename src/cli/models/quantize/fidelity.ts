import type { RawImage } from '../../../kernel/pixels.js';

/** How closely a quantized network matches itself in single precision: peak signal-to-noise ratio in dB. */
export interface Fidelity {
  /** Loss against the truth; null when the result has the size of its source, because no truth is known. */
  readonly lostDb: number | null;
  /** PSNR between the two results. */
  readonly alikeDb: number;
}

interface Run {
  readonly pixels: Uint8Array;
  readonly ms: number;
}

const MAX_LOST_DB = 0.1;
const MIN_PSNR_DB = 40;

/** The reason not to use the quantized network; null if there is none. */
export function faultOf({ lostDb, alikeDb }: Fidelity): string | null {
  if (lostDb !== null)
    return lostDb <= MAX_LOST_DB ? null : `it loses ${lostDb.toFixed(2)} dB, ${MAX_LOST_DB} are allowed`;
  if (alikeDb >= MIN_PSNR_DB) return null;
  return `its results are ${alikeDb.toFixed(1)} dB near those in single precision, ${MIN_PSNR_DB} are required`;
}

/** Accumulates sums over pictures. */
export class FidelityMeter {
  private readonly exact = new SquaredErrors();
  private readonly integer = new SquaredErrors();
  private readonly apart = new SquaredErrors();
  private exactMs = 0;
  private integerMs = 0;
  private isWarm = false;

  constructor(private readonly scale: number) {}

  /** The input of a network that enlarges: the truth, downscaled by averaging squares of pixels. */
  sourceOf({ data, width, height }: RawImage): RawImage {
    const { scale } = this;
    const [across, down] = [width / scale, height / scale];
    const out = new Uint8Array(across * down * 3);
    for (let y = 0; y < down; y++)
      for (let x = 0; x < across; x++)
        for (let channel = 0; channel < 3; channel++) {
          let sum = 0;
          for (let dy = 0; dy < scale; dy++)
            for (let dx = 0; dx < scale; dx++)
              sum += data[((y * scale + dy) * width + x * scale + dx) * 3 + channel]!;
          out[(y * across + x) * 3 + channel] = Math.round(sum / (scale * scale));
        }
    return { data: out, width: across, height: down, channels: 3 };
  }

  /** @param truth RGB of the size of the results */
  add({ data: truth }: RawImage, exact: Run, integer: Run): void {
    this.exact.add(exact.pixels, truth);
    this.integer.add(integer.pixels, truth);
    this.apart.add(integer.pixels, exact.pixels);
    // The first run of a session includes its preparation.
    if (this.isWarm) {
      this.exactMs += exact.ms;
      this.integerMs += integer.ms;
    }
    this.isWarm = true;
  }

  fidelity(): Fidelity {
    const lostDb = this.scale === 1 ? null : this.exact.decibels() - this.integer.decibels();
    return { lostDb, alikeDb: this.apart.decibels() };
  }

  faster(): number {
    return this.exactMs / this.integerMs;
  }
}

class SquaredErrors {
  private sum = 0;
  private count = 0;

  add(a: Uint8Array, b: Uint8Array): void {
    for (let at = 0; at < a.length; at++) this.sum += (a[at]! - b[at]!) ** 2;
    this.count += a.length;
  }

  decibels(): number {
    // Treats identical pictures as if one value differed by one, so that the ratio stays finite.
    const mean = Math.max(this.sum, 1) / this.count;
    return 10 * Math.log10(255 ** 2 / mean);
  }
}
