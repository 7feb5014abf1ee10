import { EXIF_TAGS, type ExifDirectory } from './exif-tags.js';

/** EXIF fields by directory and name, as the texts that the image library writes. */
export type ExifFields = Partial<Record<ExifDirectory, Record<string, string>>>;

const HEADER = 'Exif\0\0';
/** Pointers in IFD0 to the other directories. */
const EXIF_POINTER = 0x87_69;
const GPS_POINTER = 0x88_25;
const ENTRY_BYTES = 12;
/** More than any camera writes into one directory. */
const MAX_ENTRIES = 500;
/** Maximum length of one field: enough for a caption of a page. */
const MAX_VALUE_BYTES = 4_096;

const BYTE = 1;
const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const SRATIONAL = 10;
const SIZES: Readonly<Record<number, number>> = {
  [BYTE]: 1,
  [ASCII]: 1,
  [SHORT]: 2,
  [LONG]: 4,
  [RATIONAL]: 8,
  [SRATIONAL]: 8,
};

/**
 * Reads the fields of an EXIF block that a result can keep. Skips damaged fields; never throws.
 * @param block with or without the header `Exif`
 */
export function exifFields(block: Buffer): ExifFields {
  const start = block.toString('latin1', 0, HEADER.length) === HEADER ? HEADER.length : 0;
  const tiff = new Tiff(block.subarray(start));
  const first = tiff.directory(tiff.firstOffset);
  const fields: ExifFields = {};
  const add = (name: ExifDirectory, directory: Directory | undefined): void => {
    const known = directory && knownFields(EXIF_TAGS[name], directory, tiff);
    if (known !== undefined && Object.keys(known).length > 0) fields[name] = known;
  };
  add('IFD0', first);
  add('IFD2', first && tiff.directory(tiff.number(first.get(EXIF_POINTER))));
  add('IFD3', first && tiff.directory(tiff.number(first.get(GPS_POINTER))));
  return fields;
}

/** Entries by tag. */
type Directory = ReadonlyMap<number, Entry>;

interface Entry {
  readonly type: number;
  readonly count: number;
  readonly bytes: Buffer;
}

function knownFields(
  names: Readonly<Record<number, string>>,
  directory: Directory,
  tiff: Tiff,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag, name] of Object.entries(names)) {
    const value = tiff.text(directory.get(Number(tag)));
    if (value !== undefined && value !== '') fields[name] = value;
  }
  return fields;
}

/** A TIFF structure whose offsets are not trusted. */
class Tiff {
  private readonly isLittle: boolean;
  readonly firstOffset: number;

  constructor(private readonly block: Buffer) {
    this.isLittle = block.toString('latin1', 0, 2) === 'II';
    this.firstOffset = block.length < 8 ? 0 : this.long(block, 4);
  }

  directory(offset: number | undefined): Directory | undefined {
    const { block } = this;
    if (offset === undefined || offset < 8 || offset + 2 > block.length) return undefined;
    const count = Math.min(MAX_ENTRIES, this.short(block, offset));
    const entries = new Map<number, Entry>();
    for (let index = 0; index < count; index++) {
      const at = offset + 2 + index * ENTRY_BYTES;
      if (at + ENTRY_BYTES > block.length) break;
      const entry = this.entry(at);
      if (entry !== undefined) entries.set(this.short(block, at), entry);
    }
    return entries;
  }

  /** The first number of an entry. */
  number(entry: Entry | undefined): number | undefined {
    if (entry?.type === LONG && entry.count > 0) return this.long(entry.bytes, 0);
    return entry?.type === SHORT && entry.count > 0 ? this.short(entry.bytes, 0) : undefined;
  }

  text(entry: Entry | undefined): string | undefined {
    if (entry === undefined) return undefined;
    const { type, count, bytes } = entry;
    if (type === ASCII) return plainText(bytes);
    const size = SIZES[type]!;
    return Array.from({ length: count }, (_, index) => this.value(type, bytes, index * size)).join(' ');
  }

  private entry(at: number): Entry | undefined {
    const { block } = this;
    const type = this.short(block, at + 2);
    const count = this.long(block, at + 4);
    const length = (SIZES[type] ?? Infinity) * count;
    if (!(length > 0 && length <= MAX_VALUE_BYTES)) return undefined;
    const from = length <= 4 ? at + 8 : this.long(block, at + 8);
    if (from + length > block.length) return undefined;
    return { type, count, bytes: block.subarray(from, from + length) };
  }

  private value(type: number, bytes: Buffer, at: number): string {
    if (type === BYTE) return String(bytes[at]!);
    if (type === SHORT) return String(this.short(bytes, at));
    if (type === LONG) return String(this.long(bytes, at));
    const read = (from: number): number =>
      type === SRATIONAL ? this.signed(bytes, from) : this.long(bytes, from);
    return `${read(at)}/${read(at + 4)}`;
  }

  private short(bytes: Buffer, at: number): number {
    return this.isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  }

  private long(bytes: Buffer, at: number): number {
    return this.isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  }

  private signed(bytes: Buffer, at: number): number {
    return this.isLittle ? bytes.readInt32LE(at) : bytes.readInt32BE(at);
  }
}

/** Decodes text up to the first U+0000, without control characters. */
function plainText(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes
    .toString('utf8', 0, end === -1 ? bytes.length : end)
    .replaceAll(/[\p{Cc}\uFFFD]/gu, ' ')
    .trim();
}
