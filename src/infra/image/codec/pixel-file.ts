import { type FileHandle, open, rm } from 'node:fs/promises';
import type { PixelShape, PixelSink, PixelSource, Region } from '../../../kernel/pixels.js';
import { refuseFullDisk } from '../../storage/storage-fault.js';
import { FILE_MODE, openForeign } from './foreign-file.js';
import { srgbProfile } from './srgb-profile.js';
import { PIXELS_AT_BYTES, tiffFrame } from '../containers/tiff-directory.js';

/** What the image library writes after the rows: a few hundred bytes about the image. */
const MAX_TRAILER_BYTES = 2 ** 20;

/**
 * Decoded pixels in a file: 64 bytes, the contiguous rows, and, once sealed, a directory that makes it an uncompressed
 * TIFF, which the image library reads in strips. The pixels of a job are thus in the page cache instead of in this
 * process.
 */
export class PixelFile implements PixelSource, PixelSink {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  private readonly rowBytes: number;
  private closed: Promise<void> | undefined;

  private constructor(
    readonly path: string,
    shape: PixelShape,
    private readonly handle: FileHandle,
  ) {
    this.width = shape.width;
    this.height = shape.height;
    this.channels = shape.channels;
    this.rowBytes = shape.width * shape.channels;
  }

  /**
   * Creates a file for pixels of this shape.
   * @throws AppError `service_unavailable` when the disk is full, like `write` and `seal`
   */
  static async create(path: string, shape: PixelShape): Promise<PixelFile> {
    return new PixelFile(path, shape, await open(path, 'wx+', FILE_MODE).catch(refuseFullDisk));
  }

  /** Adopts a file with rows at the offset of this class, and seals it. */
  static async adopt(path: string, shape: PixelShape): Promise<PixelFile> {
    const file = new PixelFile(path, shape, await open(path, 'r+'));
    try {
      await file.seal();
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Like `adopt`, for a file of an untrusted process: it must be a regular file with a single link and
   * exactly the bytes of its rows.
   * @throws Error otherwise; the file is then deleted
   */
  static async adoptForeign(path: string, shape: PixelShape): Promise<PixelFile> {
    const minBytes = PIXELS_AT_BYTES + shape.width * shape.height * shape.channels;
    const handle = await openForeign(path, { minBytes, maxBytes: minBytes + MAX_TRAILER_BYTES });
    const file = new PixelFile(path, shape, handle);
    try {
      await file.seal();
      return file;
    } catch (error) {
      await file.remove();
      throw error;
    }
  }

  async read(region: Region, into: Uint8Array): Promise<void> {
    for (const { start, end, at } of this.runs(region)) {
      for (let done = start; done < end;) {
        const { bytesRead } = await this.handle.read(into, done, end - done, at + done - start);
        if (bytesRead === 0) throw new Error(`the pixel file ends before row ${region.y + region.height}`);
        done += bytesRead;
      }
    }
  }

  async write(region: Region, rows: Uint8Array): Promise<void> {
    for (const { start, end, at } of this.runs(region)) {
      // A write may be partial, for example just before the disk is full.
      for (let done = start; done < end;) {
        const { bytesWritten } = await this.handle
          .write(rows, done, end - done, at + done - start)
          .catch(refuseFullDisk);
        done += bytesWritten;
      }
    }
  }

  /** Makes the file readable for the image library. All rows must be written. */
  async seal(): Promise<void> {
    const { head, directory, directoryAt } = tiffFrame(this, await srgbProfile());
    // Bytes after the pixels must not precede the directory.
    await this.handle.truncate(directoryAt);
    for (const [bytes, at] of [
      [directory, directoryAt],
      [head, 0],
    ] as const) {
      const { bytesWritten } = await this.handle.write(bytes, 0, bytes.length, at).catch(refuseFullDisk);
      if (bytesWritten < bytes.length)
        refuseFullDisk(Object.assign(new Error('short write'), { code: 'ENOSPC' }));
    }
  }

  /** Closes the file handle; the file stays. Idempotent. */
  close(): Promise<void> {
    this.closed ??= this.handle.close();
    return this.closed;
  }

  /** Closes and deletes it. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  /** Contiguous pieces of a region in the file: one if it is as wide as the image, else one per row. */
  private *runs(region: Region): Generator<{ start: number; end: number; at: number }> {
    const { width, rowBytes, channels } = this;
    const first = PIXELS_AT_BYTES + region.y * rowBytes + region.x * channels;
    if (region.width === width) {
      yield { start: 0, end: region.height * rowBytes, at: first };
      return;
    }
    const runBytes = region.width * channels;
    for (let row = 0; row < region.height; row++)
      yield { start: row * runBytes, end: (row + 1) * runBytes, at: first + row * rowBytes };
  }
}
