import { distanceToWord, WORD } from './test-word.js';

/** A tile that repeats without seams: RGBA, straight alpha. */
export interface MarkTile {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Sides of the tile in letter heights. It contains the word twice, offset like bricks. */
const TILE = { width: 8, height: 5.6 } as const;
const ANGLE = (-28 * Math.PI) / 180;
/** Opacity of the letters, and of the dark rim that makes them readable on white. */
const OPACITY = { letter: 0.6, rim: 0.32 } as const;
const RIM = 0.07;

/** Centers of the words, as shares of the sides. */
const CENTERS = [
  [0.25, 0.25],
  [0.75, 0.75],
] as const;

let last: { readonly letterPixels: number; readonly tile: MarkTile } | undefined;

/** The word TEST, white with a dark rim, slanted. @param letterPixels height of a letter, at least 4 */
export function markTile(letterPixels: number): MarkTile {
  if (last?.letterPixels === letterPixels) return last.tile;
  const width = Math.round(TILE.width * letterPixels);
  const height = Math.round(TILE.height * letterPixels);
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      const distance = distanceAt(x + 0.5, y + 0.5, { width, height, letterPixels });
      const letter = covered((WORD.halfStroke - distance) * letterPixels) * OPACITY.letter;
      const rim = covered((WORD.halfStroke + RIM - distance) * letterPixels) * OPACITY.rim;
      const alpha = letter + rim * (1 - letter);
      data.fill(alpha === 0 ? 0 : Math.round((255 * letter) / alpha), at, at + 3);
      data[at + 3] = Math.round(255 * alpha);
    }
  const tile = { data, width, height };
  last = { letterPixels, tile };
  return tile;
}

/** The share of a pixel that is covered by a shape whose edge is this many pixels away. */
function covered(pixels: number): number {
  return Math.min(1, Math.max(0, pixels + 0.5));
}

/** Distance to the nearest word, including those of neighboring tiles, in letter heights. */
function distanceAt(
  x: number,
  y: number,
  { width, height, letterPixels }: Pick<MarkTile, 'width' | 'height'> & { readonly letterPixels: number },
): number {
  return Math.min(
    ...CENTERS.map(([centerX, centerY]) => {
      const across = wrapped(x - centerX * width, width) / letterPixels;
      const down = wrapped(y - centerY * height, height) / letterPixels;
      if (Math.hypot(across, down) > WORD.width / 2 + 0.7) return Infinity;
      const along = across * Math.cos(ANGLE) + down * Math.sin(ANGLE);
      const below = down * Math.cos(ANGLE) - across * Math.sin(ANGLE);
      return distanceToWord(along + WORD.width / 2, below + 0.5);
    }),
  );
}

/** The shortest equivalent distance in a repeating pattern. */
function wrapped(distance: number, period: number): number {
  return distance - Math.round(distance / period) * period;
}
