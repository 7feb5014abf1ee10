import type { ZipFile } from './zip-file.js';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;

const VERSION = 20;
const ZIP64_VERSION = 45;
/** Made on Unix, so that readers apply its file modes. */
const MADE_BY_UNIX = 3 << 8;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const STORED = 0;
/** A regular file, mode 0644. */
const ATTRIBUTES = 0o100644 * 0x10000;
const ZIP64_EXTRA = 0x0001;
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

/** The header before the bytes of a file. @throws RangeError for a file of 4 GiB or more */
export function zipLocalHeader(file: ZipFile): Buffer {
  if (file.sizeBytes >= MAX_32) throw new RangeError('a file of an archive must have less than 4 GiB');
  const name = Buffer.from(file.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  writeCommon(header, 6, file, name.length);
  return Buffer.concat([header, name]);
}

/**
 * The central directory and the records that end an archive.
 * @param placed the files, each with the offset of its header
 * @param start offset of the directory
 */
export function zipDirectory(
  placed: readonly { readonly file: ZipFile; readonly offset: number }[],
  start: number,
): Buffer {
  const headers = placed.map(({ file, offset }) => directoryHeader(file, offset));
  const sizeBytes = headers.reduce((sum, { length }) => sum + length, 0);
  const ends = [endRecord(placed.length, sizeBytes, start)];
  if (placed.length >= MAX_16 || start >= MAX_32) ends.unshift(zip64End(placed.length, sizeBytes, start));
  return Buffer.concat([...headers, ...ends]);
}

function directoryHeader(file: ZipFile, offset: number): Buffer {
  const name = Buffer.from(file.name);
  const isFar = offset >= MAX_32;
  const extra = isFar ? Buffer.alloc(12) : Buffer.alloc(0);
  if (isFar) {
    extra.writeUInt16LE(ZIP64_EXTRA, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  const header = Buffer.alloc(46);
  header.writeUInt32LE(DIRECTORY_HEADER, 0);
  header.writeUInt16LE(MADE_BY_UNIX | ZIP64_VERSION, 4);
  header.writeUInt16LE(isFar ? ZIP64_VERSION : VERSION, 6);
  writeCommon(header, 8, file, name.length);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(ATTRIBUTES, 38);
  header.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([header, name, extra]);
}

/** The fields that both headers of a file have. */
function writeCommon(header: Buffer, at: number, file: ZipFile, nameBytes: number): void {
  const { date, time } = dosTime(file.modifiedAt);
  header.writeUInt16LE(FLAGS, at);
  header.writeUInt16LE(STORED, at + 2);
  header.writeUInt16LE(time, at + 4);
  header.writeUInt16LE(date, at + 6);
  header.writeUInt32LE(file.crc32, at + 8);
  header.writeUInt32LE(file.sizeBytes, at + 12);
  header.writeUInt32LE(file.sizeBytes, at + 16);
  header.writeUInt16LE(nameBytes, at + 20);
}

function endRecord(count: number, sizeBytes: number, start: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(DIRECTORY_END, 0);
  record.writeUInt16LE(Math.min(count, MAX_16), 8);
  record.writeUInt16LE(Math.min(count, MAX_16), 10);
  record.writeUInt32LE(sizeBytes, 12);
  record.writeUInt32LE(Math.min(start, MAX_32), 16);
  return record;
}

/** The ZIP64 end record, and the locator that points to it. */
function zip64End(count: number, sizeBytes: number, start: number): Buffer {
  const record = Buffer.alloc(76);
  record.writeUInt32LE(ZIP64_END, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(MADE_BY_UNIX | ZIP64_VERSION, 12);
  record.writeUInt16LE(ZIP64_VERSION, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(sizeBytes), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  record.writeUInt32LE(ZIP64_LOCATOR, 56);
  record.writeBigUInt64LE(BigInt(start + sizeBytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** MS-DOS date and time, in UTC. Dates before 1980 cannot be stored. */
function dosTime(at: Date): { readonly date: number; readonly time: number } {
  const year = Math.max(0, at.getUTCFullYear() - 1980);
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
