import type { MetadataMode } from '../../../kernel/output-options.js';
import { libvips } from '../codec/libvips.js';
import { type ExifFields, exifFields } from './exif-fields.js';
import { iptcBlock } from './iptc.js';
import { keptXmp, withSourceType } from './xmp.js';

/** Which metadata of its source a result gets. */
export interface MetadataOrder {
  readonly mode: MetadataMode;
  /** An IPTC digital source type to write; see `withSourceType`. */
  readonly sourceType?: string | undefined;
}

/** Metadata for a result. Plain data, so that it can cross processes. */
export interface KeptMetadata {
  readonly exif: ExifFields;
  readonly xmp?: string;
  /** A block for APP13 of a JPEG, in base64. */
  readonly iptc?: string;
}

/** The metadata of a result that keeps none of its source's. */
export function ownMetadata({ sourceType }: MetadataOrder): KeptMetadata {
  return { exif: {}, ...(sourceType !== undefined && { xmp: withSourceType(undefined, sourceType) }) };
}

/**
 * Reads the metadata of an untrusted file that a result keeps. Runs in the process that decodes such files. Damaged
 * metadata is omitted.
 */
export async function keptMetadata(
  input: Buffer,
  { mode, sourceType }: MetadataOrder,
): Promise<KeptMetadata> {
  if (mode === 'strip') return ownMetadata({ mode, sourceType });
  const { exif, xmp, iptc } = await libvips()(input, { limitInputPixels: false }).metadata();
  const packet = xmp === undefined ? undefined : keptXmp(xmp.toString('utf8'), mode);
  const block = iptc === undefined ? undefined : iptcBlock(iptc);
  return {
    exif: exif === undefined ? {} : placed(exifFields(exif), mode),
    ...(packet !== undefined && { xmp: packet }),
    ...(sourceType !== undefined && { xmp: withSourceType(packet, sourceType) }),
    ...(block !== undefined && { iptc: block.toString('base64') }),
  };
}

function placed({ IFD3: gps, ...fields }: ExifFields, mode: MetadataMode): ExifFields {
  return mode === 'keep' && gps !== undefined ? { ...fields, IFD3: aboveSeaLevel(gps) } : fields;
}

/** The image library does not write the reference of an altitude, so one below sea level would become one above. */
function aboveSeaLevel(gps: NonNullable<ExifFields['IFD3']>): NonNullable<ExifFields['IFD3']> {
  const { GPSAltitude: _altitude, GPSAltitudeRef: reference = '0', ...rest } = gps;
  return reference === '0' ? gps : rest;
}
