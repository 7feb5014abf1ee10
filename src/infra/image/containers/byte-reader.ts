import { type FileHandle, open } from 'node:fs/promises';
import { damaged } from '../codec/refusals.js';

/** Memory of one reader, regardless of the size of the file; also the maximum length of one `read`. */
const WINDOW_BYTES = 64 * 1024;

/**
 * Reads a file through one small window, so that walking a 20 MB upload takes 64 KiB. Returned buffers are views of
 * that window: they are valid until the next call.
 */
export class ByteReader {
  private start = 0;
  private length = 0;

  private constructor(
    /** Undefined when the window holds the whole file. */
    private readonly handle: FileHandle | undefined,
    readonly sizeBytes: number,
    private readonly buffer: Buffer,
  ) {}

  /** Reads from bytes in memory. */
  static over(file: Buffer): ByteReader {
    const reader = new ByteReader(undefined, file.length, file);
    reader.length = file.length;
    return reader;
  }

  /** @throws the file system's error when the file cannot be opened */
  static async open(path: string): Promise<ByteReader> {
    const handle = await open(path, 'r');
    try {
      return new ByteReader(handle, (await handle.stat()).size, Buffer.allocUnsafe(WINDOW_BYTES));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Exactly `lengthBytes` (at most 64 KiB) at `offset`.
   * @throws AppError `undecodable_image` when the file ends earlier
   */
  async read(offset: number, lengthBytes: number): Promise<Buffer> {
    if (lengthBytes > WINDOW_BYTES) throw new RangeError(`read of ${lengthBytes} bytes through a window`);
    if (offset + lengthBytes > this.sizeBytes) throw damaged('the file is truncated');
    if (offset < this.start || offset + lengthBytes > this.start + this.length) await this.fill(offset);
    if (lengthBytes > this.length) throw damaged('the file is truncated');
    return this.buffer.subarray(offset - this.start, offset - this.start + lengthBytes);
  }

  /** The bytes of the window from `offset`: at least one, or none at the end of the file. */
  async windowAt(offset: number): Promise<Buffer> {
    if (offset >= this.sizeBytes) return this.buffer.subarray(0, 0);
    if (offset < this.start || offset >= this.start + this.length) await this.fill(offset);
    return this.buffer.subarray(offset - this.start, this.length);
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }

  private async fill(offset: number): Promise<void> {
    // A file that is completely in memory has nothing outside of the window.
    if (this.handle === undefined) return;
    this.start = offset;
    this.length = 0;
    while (this.length < WINDOW_BYTES) {
      const { bytesRead } = await this.handle.read(
        this.buffer,
        this.length,
        WINDOW_BYTES - this.length,
        offset + this.length,
      );
      if (bytesRead === 0) return;
      this.length += bytesRead;
    }
  }
}
