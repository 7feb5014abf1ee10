import type { RawImage } from '../../../../kernel/pixels.js';
import { type Color, Drawing } from '../../sheet/drawing.js';
import { HARD_CASES } from '../../sheet/hard-cases.js';

/** Height and width, in pixels. */
export interface Extent {
  readonly height: number;
  readonly width: number;
}

/** Position of a pixel in a drawing. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Faces, strokes, and noise. None of the pictures is mostly black or white. */
const PICTURES = ['pale skin', 'text', 'night'] as const;
/** Where crops begin: at the faces, at the lamps, and where both halves of the text meet. */
const ORIGIN: Place = { x: 100, y: 110 };

/** Drawn pictures of exactly this size, always the same. Smaller drawings are tiled. */
export function drawnPictures(extent: Extent): readonly RawImage[] {
  return PICTURES.map((name) => cropped(HARD_CASES[name]!(), extent));
}

/** The first of the drawn pictures, without drawing the others. */
export function firstDrawnPicture(extent: Extent): RawImage {
  return cropped(HARD_CASES[PICTURES[0]]!(), extent);
}

/** Every opaque drawing, cropped to exactly this size from the given position. */
export function drawnCases(extent: Extent, origin: Place): readonly RawImage[] {
  return Object.values(HARD_CASES)
    .map((draw) => draw())
    .filter(({ channels }) => channels === 3)
    .map((picture) => cropped(picture, extent, origin));
}

/** A crop of exactly this size, which wraps around at the borders of the picture. */
export function cropped(
  { data, width: across, height: down }: RawImage,
  extent: Extent,
  origin: Place = ORIGIN,
): RawImage {
  const { height, width } = extent;
  const out = new Uint8Array(height * width * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (((y + origin.y) % down) * across + ((x + origin.x) % across)) * 3;
      const to = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) out[to + channel] = data[at + channel]!;
    }
  return { data: out, width, height, channels: 3 };
}

/** A drawn subject, with its mask. */
export interface DrawnSubject {
  readonly image: RawImage;
  /** 1 where the subject is. */
  readonly truth: Uint8Array;
}

const SUBJECT_EDGE = 384;

interface Scene {
  readonly ground: Color;
  readonly body: Color;
}

/** Light on dark, dark on light, and colored on gray. */
const SCENES: readonly Scene[] = [
  { ground: [52, 60, 66], body: [226, 206, 182] },
  { ground: [212, 218, 222], body: [52, 54, 84] },
  { ground: [128, 132, 130], body: [184, 62, 46] },
];

/**
 * One vase in the middle of a plain background, stretched to this size. A figure with several parts could count as
 * several subjects.
 */
export function drawnSubjects(extent: Extent): readonly DrawnSubject[] {
  return SCENES.map((scene, index) => stretched(drawnSubject(scene, index + 1), extent));
}

function drawnSubject({ ground, body }: Scene, seed: number): DrawnSubject {
  const drawing = new Drawing(SUBJECT_EDGE, ground, seed);
  drawing.each((_x, y, now) => [now[0] + 14 * (y - 0.5), now[1] + 14 * (y - 0.5), now[2] + 14 * (y - 0.5)]);
  const truth = new Uint8Array(SUBJECT_EDGE * SUBJECT_EDGE);
  const covered = (at: number): void => void (truth[at] = 1);
  drawing.ellipse([0.5, 0.4, 0.11, 0.24], body, { shade: 0.6, covered });
  drawing.ellipse([0.5, 0.6, 0.23, 0.25], body, { shade: 0.6, covered });
  drawing.grain(2);
  return { image: drawing.picture(), truth };
}

/** Nearest-neighbor scaling: only the proportions change. */
function stretched({ image, truth }: DrawnSubject, { height, width }: Extent): DrawnSubject {
  const data = new Uint8Array(height * width * 3);
  const mask = new Uint8Array(height * width);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from =
        Math.floor((y * image.height) / height) * image.width + Math.floor((x * image.width) / width);
      const to = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) data[to + channel] = image.data[from * 3 + channel]!;
      mask[y * width + x] = truth[from]!;
    }
  return { image: { data, width, height, channels: 3 }, truth: mask };
}
