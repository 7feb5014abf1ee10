import type { RawImage } from '../../../kernel/pixels.js';
import { seededRandom } from './seeded-random.js';

/** sRGB, 0–255. */
export type Color = readonly [number, number, number];

/** A square picture drawn by a program, always the same for the same seed. */
export class Drawing {
  private readonly pixels: Float32Array;
  readonly random: () => number;

  constructor(
    readonly size: number,
    ground: Color,
    seed: number,
  ) {
    this.random = seededRandom(seed);
    this.pixels = new Float32Array(size * size * 3);
    for (let at = 0; at < this.pixels.length; at += 3) this.paint(at, ground);
  }

  /** @param color of the position: x and y from 0 to 1, and the current color */
  each(color: (x: number, y: number, now: Color) => Color): void {
    for (let at = 0; at < this.size * this.size; at++) {
      const [x, y] = [((at % this.size) + 0.5) / this.size, (Math.floor(at / this.size) + 0.5) / this.size];
      const now: Color = [this.pixels[at * 3]!, this.pixels[at * 3 + 1]!, this.pixels[at * 3 + 2]!];
      this.paint(at * 3, color(x, y, now));
    }
  }

  /**
   * Draws a sphere seen from the front, lit from the upper left.
   * @param place center x and y, and radii, as fractions of the edge
   */
  ellipse(
    [centerX, centerY, radiusX, radiusY]: readonly [number, number, number, number],
    color: Color,
    { shade, covered }: { readonly shade: number; readonly covered?: (at: number) => void },
  ): void {
    const [left, right] = this.between(centerX, radiusX);
    const [top, bottom] = this.between(centerY, radiusY);
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++) {
        const u = ((column + 0.5) / this.size - centerX) / radiusX;
        const v = ((row + 0.5) / this.size - centerY) / radiusY;
        const inside = 1 - u * u - v * v;
        if (inside <= 0) continue;
        const light = Math.min(1.25, Math.max(0.25, 0.35 * Math.sqrt(inside) - 0.27 * u - 0.25 * v + 0.65));
        const factor = 1 + shade * (light - 0.85);
        const at = row * this.size + column;
        this.paint(at * 3, [color[0] * factor, color[1] * factor, color[2] * factor]);
        covered?.(at);
      }
  }

  /** Adds noise like that of a sensor, equal in all channels. @param deviation standard deviation, of 255 */
  grain(deviation: number): void {
    this.each((_x, _y, now) => {
      // The sum of four uniform numbers is close enough to a normal distribution.
      const sum = this.random() + this.random() + this.random() + this.random() - 2;
      const noise = (sum / Math.sqrt(1 / 3)) * deviation;
      return [now[0] + noise, now[1] + noise, now[2] + noise];
    });
  }

  picture(): RawImage {
    const data = new Uint8Array(this.pixels.length);
    for (let at = 0; at < data.length; at++)
      data[at] = Math.min(255, Math.max(0, Math.round(this.pixels[at]!)));
    return { data, width: this.size, height: this.size, channels: 3 };
  }

  private paint(at: number, [red, green, blue]: Color): void {
    this.pixels[at] = red;
    this.pixels[at + 1] = green;
    this.pixels[at + 2] = blue;
  }

  /** The rows or columns that can be inside an ellipse: the first, and the one after the last. */
  private between(center: number, radius: number): readonly [number, number] {
    const [first, last] = [(center - radius) * this.size, (center + radius) * this.size];
    return [Math.max(0, Math.floor(first) - 1), Math.min(this.size, Math.ceil(last) + 1)];
  }
}
