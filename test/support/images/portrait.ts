import { readFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { libvips } from '../../../src/infra/image/codec/libvips.js';

/** Small, but still a person to every model. */
const EDGE = 128;

const KINDS = {
  jpeg: (picture) => picture.jpeg({ quality: 95 }),
  png: (picture) => picture.png(),
  'gray JPEG': (picture) => picture.toColourspace('b-w').jpeg({ quality: 95 }),
  'gray PNG': (picture) => picture.toColourspace('b-w').png(),
  '16-bit PNG': (picture) => picture.toColourspace('rgb16').png(),
  '16-bit PNG with alpha': (picture) => picture.ensureAlpha(0.9).toColourspace('rgb16').png(),
  'CMYK JPEG': (picture) => picture.toColourspace('cmyk').jpeg({ quality: 95 }),
  /** Opaque on the left, half transparent on the right. */
  'fading PNG': (picture) =>
    picture.joinChannel(fading(), { raw: { width: EDGE, height: EDGE, channels: 1 } }).png(),
} as const satisfies Record<string, (picture: Sharp) => Sharp>;

export type PortraitKind = keyof typeof KINDS;

/** A photo of a person, 128 × 128, for tests that need a subject. */
export async function portrait(kind: PortraitKind): Promise<Buffer> {
  return KINDS[kind](libvips()(await portraitPng(EDGE, EDGE))).toBuffer();
}

/** The same at another size. */
export async function portraitPng(width: number, height: number): Promise<Buffer> {
  const photo = await readFile('scripts/assets/astronaut.png');
  return libvips()(photo).removeAlpha().resize(width, height).png().toBuffer();
}

function fading(): Buffer {
  return Buffer.from(Array.from({ length: EDGE * EDGE }, (_, at) => 255 - (at % EDGE)));
}
