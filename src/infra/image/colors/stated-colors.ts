import { AppError } from '../../../kernel/app-error.js';
import type { AvifItem } from '../containers/avif-work.js';
import { ByteReader } from '../containers/byte-reader.js';
import { SNIFF_BYTES, sniffFormat } from '../containers/sniff.js';
import { type AvifDescription, readAvif } from '../containers/walk-avif.js';
import { isFullRangeSequence } from './sequence-range.js';

/** What a file states about its colors outside of a profile, as far as the image library ignores it. */
export interface StatedColors {
  /**
   * A monochrome AVIF whose black is 16 and white 235 (of 255). The library expands the range of color pictures only.
   */
  readonly isLimitedGray: boolean;
}

const NOTHING: StatedColors = { isLimitedGray: false };
/** A tone map of a grid of tiles. */
const MAX_LEVELS = 3;

/** @returns what is known, also of a damaged file, which others refuse */
export async function statedColors(input: Buffer | string): Promise<StatedColors> {
  const reader = typeof input === 'string' ? await ByteReader.open(input) : ByteReader.over(input);
  try {
    const format = sniffFormat(await reader.read(0, Math.min(SNIFF_BYTES, reader.sizeBytes)));
    const avif = format === 'avif' ? await readAvif(reader) : undefined;
    return avif === undefined ? NOTHING : { isLimitedGray: await isLimitedGray(reader, avif) };
  } catch (error) {
    if (error instanceof AppError) return NOTHING;
    throw error;
  } finally {
    await reader.close();
  }
}

async function isLimitedGray(reader: ByteReader, { items, primary }: AvifDescription): Promise<boolean> {
  if (primary === undefined) return false;
  const shown = items.of(primary);
  let coded: AvifItem = shown;
  for (let level = 0; level < MAX_LEVELS && coded.parts.length > 0; level++)
    coded = items.of(coded.parts[0]!);
  if (coded.isMonochrome !== true) return false;
  // What the container states overrides the coded data (AV1 image file format §2.2.1).
  const stated = shown.isFullRange ?? coded.isFullRange;
  if (stated !== undefined) return !stated;
  return coded.dataAt !== undefined && (await isFullRangeSequence(reader, coded.dataAt)) === false;
}
