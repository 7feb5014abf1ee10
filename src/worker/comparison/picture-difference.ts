/** Alpha from which a pixel belongs to the subject: ½. */
const HALF = 128;
const FULL = 255;
const COLORS = 3;

/** The difference of two pictures of the same size. */
export interface FoundDifference {
  /** Whether the shapes of mattes were compared; otherwise, the colors were. */
  readonly isMatte: boolean;
  /** 0–100. */
  readonly percent: number;
  /** Mean over the picture, squared 8-bit levels; 0 for mattes. */
  readonly squaredError: number;
}

/**
 * Compares the pixels of two pictures, piece by piece.
 *
 * Colors: the mean absolute difference of R, G and B as a share of full scale, and the mean squared error, of which
 * PSNR is made (ITU-T J.340). Pixels that are transparent in both have no color. Mattes: 1 − |A ∩ B| / |A ∪ B| of the
 * pixels whose alpha is at least ½, the Jaccard distance (Everingham et al., "The PASCAL Visual Object Classes
 * Challenge", 2010).
 */
export class PictureDifference {
  private pixels = 0;
  private absolute = 0;
  private squares = 0;
  private both = 0;
  private either = 0;

  constructor(
    private readonly channels: 3 | 4,
    private readonly isMatte: boolean,
  ) {}

  /** @param a, b the same whole pixels of both pictures */
  add(a: Uint8Array, b: Uint8Array): void {
    if (this.isMatte) this.addMattes(a, b);
    else this.addColors(a, b);
  }

  found(): FoundDifference {
    const { isMatte, pixels } = this;
    if (isMatte) {
      const percent = this.either === 0 ? 0 : 100 * (1 - this.both / this.either);
      return { isMatte, percent, squaredError: 0 };
    }
    const values = Math.max(1, COLORS * pixels);
    return {
      isMatte,
      percent: (100 * this.absolute) / (FULL * values),
      squaredError: this.squares / values,
    };
  }

  private addMattes(a: Uint8Array, b: Uint8Array): void {
    for (let at = COLORS; at < a.length; at += this.channels) {
      const isInA = a[at]! >= HALF;
      const isInB = b[at]! >= HALF;
      if (isInA && isInB) this.both += 1;
      if (isInA || isInB) this.either += 1;
    }
  }

  private addColors(a: Uint8Array, b: Uint8Array): void {
    const { channels } = this;
    for (let at = 0; at < a.length; at += channels) {
      if (channels > COLORS && a[at + COLORS] === 0 && b[at + COLORS] === 0) continue;
      this.pixels += 1;
      for (let color = at; color < at + COLORS; color += 1) {
        const difference = a[color]! - b[color]!;
        this.absolute += Math.abs(difference);
        this.squares += difference * difference;
      }
    }
  }
}
