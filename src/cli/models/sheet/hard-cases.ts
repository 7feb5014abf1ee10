import type { RawImage } from '../../../kernel/pixels.js';
import { type Color, Drawing } from './drawing.js';
import { chartPicture, OPTICAL_TONES } from './skin-chart.js';

const SIZE = 320;

/** Drawn pictures that provoke artifacts, always the same. */
export const HARD_CASES: Readonly<Record<string, () => RawImage>> = {
  'deep skin': () => chartPicture(OPTICAL_TONES.at(-1)!).image,
  'pale skin': () => chartPicture(OPTICAL_TONES[0]!).image,
  night,
  backlight,
  text,
  'line art': lineArt,
  'pure black': () => plain([0, 0, 0]),
  'pure white': () => plain([255, 255, 255]),
  grayscale,
  alpha,
};

function plain(color: Color): RawImage {
  return new Drawing(SIZE, color, 1).picture();
}

/** A dark street: three lamps with their glow, lit windows, and strong sensor noise. */
function night(): RawImage {
  const drawing = new Drawing(SIZE, [10, 11, 16], 2);
  drawing.each((x, y, now) => (y > 0.45 && x > 0.55 ? [16, 15, 18] : now));
  drawing.each((x, y, now) => {
    const isWindow = x > 0.6 && y > 0.5 && (x * 20) % 2 < 0.8 && (y * 14) % 2 < 0.9;
    return isWindow && drawing.random() < 0.98 ? [150, 110, 50] : now;
  });
  for (const [lampX, lampY] of [
    [0.2, 0.3],
    [0.42, 0.36],
    [0.5, 0.4],
  ] as const)
    drawing.each((x, y, now) => {
      const glow = Math.exp(-((x - lampX) ** 2 + (y - lampY) ** 2) / 0.004);
      return [now[0] + glow * 260, now[1] + glow * 215, now[2] + glow * 130];
    });
  drawing.grain(5);
  return drawing.picture();
}

/** A head in front of a bright window: the face in deep shade, the sky nearly white. */
function backlight(): RawImage {
  const drawing = new Drawing(SIZE, [238, 244, 252], 3);
  drawing.each((_x, y, now) =>
    y > 0.8 ? [60, 62, 58] : [now[0] - 40 * y, now[1] - 25 * y, now[2] - 10 * y],
  );
  drawing.ellipse([0.5, 1.05, 0.34, 0.36], [32, 34, 46], { shade: 0.3 });
  drawing.ellipse([0.5, 0.42, 0.15, 0.2], [58, 40, 33], { shade: 0.4 });
  drawing.grain(2);
  return drawing.picture();
}

/** Rows of letter-like strokes of one to four pixels, dark on light and light on dark. */
function text(): RawImage {
  const drawing = new Drawing(SIZE, [250, 249, 246], 4);
  drawing.each((_x, y, now) => (y > 0.5 ? [24, 26, 32] : now));
  const strokes = Array.from({ length: 2_000 }, () => Math.floor(drawing.random() * 6));
  drawing.each((x, y, now) => {
    const size = 6 + 4 * Math.floor(y * 4);
    const [column, row] = [Math.floor((x * SIZE) / size), Math.floor((y * SIZE) / (size * 1.6))];
    const [u, v] = [((x * SIZE) % size) / size, ((y * SIZE) % (size * 1.6)) / size];
    const kind = strokes[(row * 61 + column) % strokes.length]!;
    const isInk =
      v < 1 && u < 0.8 && kind > 0 && [u < 0.2, v < 0.2, Math.abs(u - v) < 0.16, v > 0.8, u > 0.6][kind - 1]!;
    if (!isInk) return now;
    return y > 0.5 ? [235, 235, 230] : [20, 20, 24];
  });
  return drawing.picture();
}

/** Circles and rays, one pixel wide and up, without anti-aliasing. */
function lineArt(): RawImage {
  const drawing = new Drawing(SIZE, [255, 255, 255], 5);
  drawing.each((x, y) => {
    const [distance, angle] = [Math.hypot(x - 0.5, y - 0.5) * SIZE, Math.atan2(y - 0.5, x - 0.5)];
    const isCircle = distance % 14 < 1 + distance / 60;
    const isRay = distance > 60 && Math.abs(Math.sin(angle * 12)) * distance < 1.5;
    return isCircle || isRay ? [0, 0, 0] : [255, 255, 255];
  });
  return drawing.picture();
}

/** The pale portrait in grayscale. */
function grayscale(): RawImage {
  const { data, ...shape } = chartPicture(OPTICAL_TONES[3]!).image;
  const gray = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 3)
    gray.fill(Math.round(0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!), at, at + 3);
  return { ...shape, data: gray };
}

/** A portrait that fades from opaque to transparent, with a hole. */
function alpha(): RawImage {
  const { data, width, height } = chartPicture(OPTICAL_TONES[5]!).image;
  const withAlpha = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [(at % width) / width, Math.floor(at / width) / height];
    withAlpha.set(data.subarray(at * 3, at * 3 + 3), at * 4);
    withAlpha[at * 4 + 3] =
      Math.hypot(x - 0.8, y - 0.2) < 0.1 ? 0 : Math.round(255 * Math.min(1, 2 * (1 - y)));
  }
  return { data: withAlpha, width, height, channels: 4 };
}
