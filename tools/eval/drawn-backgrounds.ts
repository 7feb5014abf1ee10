import type { RawImage } from '#src/kernel/pixels.js';
import { type Color, Drawing } from '#src/cli/models/sheet/drawing.js';

const SIZE = 256;

/** Fills a drawing of a single color. */
type Filler = (drawing: Drawing, ground: Color) => void;

/** Plain walls come first, because users upload these by mistake. */
const FILLERS: readonly Filler[] = [
  wall,
  wall,
  plaster,
  stripes,
  dots,
  planks,
  noise,
  colorNoise,
  writing,
  writing,
];

/**
 * Draws a picture without a subject: a wall, a texture, noise, or a page of text, unevenly lit.
 * @param index selects the picture; the same index always gives the same picture
 */
export function drawnBackground(index: number): RawImage {
  const drawing = new Drawing(SIZE, [0, 0, 0], 7_000 + index);
  const { random } = drawing;
  const ground: Color = [40 + random() * 200, 40 + random() * 200, 40 + random() * 200];
  drawing.each(() => ground);
  FILLERS[index % FILLERS.length]!(drawing, ground);
  const [across, down, depth] = [random() - 0.5, random() - 0.5, random() * 0.5];
  drawing.each((x, y, now) => {
    const light = 1 + depth * ((x - 0.5) * across + (y - 0.5) * down) * 2;
    return [now[0] * light, now[1] * light, now[2] * light];
  });
  return drawing.picture();
}

function wall(drawing: Drawing): void {
  drawing.grain(drawing.random() * 3);
}

/** Smooth bumps of several sizes. */
function plaster(drawing: Drawing): void {
  const waves = Array.from({ length: 24 }, () => ({
    across: (drawing.random() - 0.5) * 160,
    down: (drawing.random() - 0.5) * 160,
    phase: drawing.random() * 2 * Math.PI,
  }));
  drawing.each((x, y, now) => {
    const bumps = waves.reduce(
      (sum, { across, down, phase }) => sum + Math.sin(across * x + down * y + phase),
      0,
    );
    return shaded(now, 1 + bumps * 0.015);
  });
  drawing.grain(2);
}

function stripes(drawing: Drawing, ground: Color): void {
  const [turn, pitch] = [drawing.random() * Math.PI, 0.02 + drawing.random() * 0.1];
  const other = drawing.random() * 0.6 + 0.3;
  drawing.each((x, y) => {
    const along = (x * Math.cos(turn) + y * Math.sin(turn)) / pitch;
    return along - Math.floor(along) < 0.5 ? ground : shaded(ground, other);
  });
}

function dots(drawing: Drawing, ground: Color): void {
  const pitch = 0.04 + drawing.random() * 0.08;
  drawing.each((x, y) => {
    const [u, v] = [(x / pitch) % 1, (y / pitch) % 1];
    return Math.hypot(u - 0.5, v - 0.5) < 0.3 ? shaded(ground, 0.6) : ground;
  });
}

function planks(drawing: Drawing, ground: Color): void {
  const pitch = 0.08 + drawing.random() * 0.15;
  const tones = Array.from({ length: 40 }, () => 0.85 + drawing.random() * 0.25);
  drawing.each((x, y) => {
    const plank = Math.floor(y / pitch);
    const joint = (y / pitch) % 1 < 0.05 ? 0.5 : 1;
    return shaded(ground, tones[plank % tones.length]! * joint * (1 + 0.05 * Math.sin(x * 60 + plank)));
  });
}

function noise(drawing: Drawing): void {
  drawing.grain(20 + drawing.random() * 50);
}

function colorNoise(drawing: Drawing): void {
  const { random } = drawing;
  const span = 60 + random() * 195;
  drawing.each(() => [random() * span, random() * span, random() * span]);
}

/** Words made of 3×5 dot letters, dark on light paper or light on dark. */
function writing(drawing: Drawing): void {
  const { random } = drawing;
  const [height, isDark] = [0.018 + random() * 0.06, random() < 0.3];
  const letters = Array.from({ length: 20 }, () => Math.floor(random() * 2 ** 15));
  const order = Array.from({ length: 4_001 }, () => Math.floor(random() * (letters.length + 4)));
  drawing.each((x, y) => {
    const [row, column] = [Math.floor(y / (height * 1.6)), Math.floor(x / (height * 0.75))];
    const [down, across] = [(y / height) % 1.6, ((x / height) % 0.75) / 0.2];
    // The index after the last letter of the alphabet is a space.
    const letter = letters[order[(row * 97 + column) % order.length]!];
    const dot = Math.floor(down * 5) * 3 + Math.floor(across);
    const isInk = letter !== undefined && down < 1 && across < 3 && ((letter >> dot) & 1) === 1;
    return isInk === isDark ? [244, 243, 238] : [28, 28, 34];
  });
}

function shaded([red, green, blue]: Color, share: number): Color {
  return [red * share, green * share, blue * share];
}
