import { AppError } from '../../../kernel/app-error.js';
import type { AvifItem } from '../containers/avif-work.js';
import { ByteReader } from '../containers/byte-reader.js';
import { SNIFF_BYTES, sniffFormat } from '../containers/sniff.js';
import { type AvifDescription, readAvif } from '../containers/walk-avif.js';
import { avifWithProfile } from './avif-profile.js';
import { pngWithProfile, widePrimariesOfPng } from './png-colors.js';
import { isFullRangeSequence } from './sequence-range.js';
import { widePrimariesOf, wideProfile } from './wide-gamut.js';

/** What a file states about its colors outside of a profile, as far as the image library ignores it. */
export interface StatedColors {
  /**
   * A monochrome AVIF whose black is 16 and white 235 (of 255). The library expands the range of color pictures only.
   */
  readonly isLimitedGray: boolean;
  /**
   * The file with a profile that states its colors, if only code points do. The library converts by profiles, and reads
   * all other colors as sRGB.
   */
  readonly withProfile?: ((file: Buffer) => Buffer | undefined) | undefined;
}

const NOTHING: StatedColors = { isLimitedGray: false };
/** A tone map of a grid of tiles. */
const MAX_LEVELS = 3;

/** @returns what is known, also of a damaged file, which others refuse */
export async function statedColors(input: Buffer | string): Promise<StatedColors> {
  const reader = typeof input === 'string' ? await ByteReader.open(input) : ByteReader.over(input);
  try {
    const format = sniffFormat(await reader.read(0, Math.min(SNIFF_BYTES, reader.sizeBytes)));
    if (format === 'png') return await colorsOfPng(reader);
    const avif = format === 'avif' ? await readAvif(reader) : undefined;
    return avif === undefined ? NOTHING : await colorsOfAvif(reader, avif);
  } catch (error) {
    if (error instanceof AppError) return NOTHING;
    throw error;
  } finally {
    await reader.close();
  }
}

async function colorsOfPng(reader: ByteReader): Promise<StatedColors> {
  const primaries = await widePrimariesOfPng(reader);
  if (primaries === undefined) return NOTHING;
  return { isLimitedGray: false, withProfile: (file) => pngWithProfile(file, wideProfile(primaries)) };
}

/** Like the library, this takes what an item does not state from the first item that it is derived from. */
async function colorsOfAvif(reader: ByteReader, { items, primary }: AvifDescription): Promise<StatedColors> {
  if (primary === undefined) return NOTHING;
  const shown = items.of(primary);
  let coded: AvifItem = shown;
  for (let level = 0; level < MAX_LEVELS && coded.parts.length > 0; level++)
    coded = items.of(coded.parts[0]!);
  // Grays are the same in all color spaces.
  if (coded.isMonochrome === true) return { isLimitedGray: await isLimited(reader, shown, coded) };
  const { colors, hasProfile } = { ...coded, ...shown };
  if (colors === undefined || hasProfile === true) return NOTHING;
  const primaries = widePrimariesOf(colors.primaries, colors.transfer);
  if (primaries === undefined) return NOTHING;
  return {
    isLimitedGray: false,
    withProfile: (file) => avifWithProfile(file, primary, wideProfile(primaries)),
  };
}

async function isLimited(reader: ByteReader, shown: AvifItem, coded: AvifItem): Promise<boolean> {
  // What the container states overrides the coded data (AV1 image file format §2.2.1).
  const stated = shown.isFullRange ?? coded.isFullRange;
  if (stated !== undefined) return !stated;
  return coded.dataAt !== undefined && (await isFullRangeSequence(reader, coded.dataAt)) === false;
}
