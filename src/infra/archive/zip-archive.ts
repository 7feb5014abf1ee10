import type { Readable } from 'node:stream';
import type { ByteRange } from '../storage/object-store.js';
import type { ZipFile } from './zip-file.js';
import { zipDirectory, zipLocalHeader } from './zip-records.js';

/** A part of an archive: either ZIP records or the bytes of a file. */
type Part<File> = { readonly start: number; readonly sizeBytes: number } & (
  | { readonly bytes: Buffer }
  | { readonly file: File }
);

/**
 * A ZIP archive (APPNOTE 6.3). Sizes and checksums are known up front, so its layout is fixed before any file is read:
 * the same files always produce the same bytes, and any byte range can be served alone. Archives over 4 GiB use ZIP64.
 */
export class ZipArchive<File extends ZipFile> {
  readonly sizeBytes: number;
  private readonly parts: readonly Part<File>[];

  /** @throws RangeError for a file of 4 GiB or more */
  constructor(files: readonly File[]) {
    const parts: Part<File>[] = [];
    const placed: { file: File; offset: number }[] = [];
    let end = 0;
    const add = (part: { bytes: Buffer } | { file: File }, sizeBytes: number): void => {
      if (sizeBytes > 0) parts.push({ ...part, start: end, sizeBytes });
      end += sizeBytes;
    };
    for (const file of files) {
      placed.push({ file, offset: end });
      const header = zipLocalHeader(file);
      add({ bytes: header }, header.length);
      add({ file }, file.sizeBytes);
    }
    const directory = zipDirectory(placed, end);
    add({ bytes: directory }, directory.length);
    this.parts = parts;
    this.sizeBytes = end;
  }

  /**
   * Streams the bytes of a range, or all of them. Reads one file at a time, as fast as the caller consumes the bytes.
   * @param open reads a part of a file
   * @throws what `open` throws; Error when a file has fewer bytes than it should
   */
  async *read(
    range: ByteRange | null,
    open: (file: File, part: ByteRange) => Promise<Readable>,
  ): AsyncGenerator<Buffer> {
    const { start, end } = range ?? { start: 0, end: this.sizeBytes - 1 };
    for (const part of this.parts) {
      const from = Math.max(start - part.start, 0);
      const to = Math.min(end - part.start, part.sizeBytes - 1);
      if (from > to) continue;
      if ('bytes' in part) yield part.bytes.subarray(from, to + 1);
      else yield* exactly(to - from + 1, await open(part.file, { start: from, end: to }), part.file.name);
    }
  }
}

/** Passes on the bytes of a stream, and fails unless there are exactly `count` of them. */
async function* exactly(count: number, stream: Readable, name: string): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error(`a file of an archive has another size than recorded: ${name}`);
}
