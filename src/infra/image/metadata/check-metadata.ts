import type { ExifFields } from './exif-fields.js';
import { EXIF_TAGS, type ExifDirectory } from './exif-tags.js';
import type { KeptMetadata } from './kept-metadata.js';

/** Maximum length of metadata as JSON. More than any result needs. */
export const MAX_METADATA_BYTES = 512 * 1024;
const MAX_TEXT = 100_000;

/**
 * Validates metadata from a process that an untrusted file may have taken over: only known fields, and texts of bounded
 * length. Undefined when the metadata is invalid.
 */
export function checkedMetadata(json: string): KeptMetadata | undefined {
  let given: Partial<Record<string, unknown>>;
  try {
    given = Object(JSON.parse(json)) as Partial<Record<string, unknown>>;
  } catch {
    return undefined;
  }
  const { exif, xmp, iptc } = given;
  if (!isOptionalText(xmp) || !isOptionalText(iptc)) return undefined;
  return {
    exif: checkedFields(Object(exif) as Partial<Record<string, unknown>>),
    ...(xmp !== undefined && { xmp }),
    ...(iptc !== undefined && { iptc }),
  };
}

function checkedFields(given: Partial<Record<string, unknown>>): ExifFields {
  const fields: ExifFields = {};
  for (const [directory, tags] of Object.entries(EXIF_TAGS)) {
    const values = Object(given[directory]) as Partial<Record<string, unknown>>;
    const known = Object.values(tags)
      .map((name) => [name, values[name]] as const)
      .filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string');
    if (known.length > 0) fields[directory as ExifDirectory] = Object.fromEntries(known);
  }
  return fields;
}

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && value.length <= MAX_TEXT);
