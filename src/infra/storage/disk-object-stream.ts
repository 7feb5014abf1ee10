import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import type { Permits } from '../../kernel/permits/permits.js';
import type { ByteRange } from './object-store.js';

const CHUNK_BYTES = 65_536;

/**
 * The bytes of an open file, which it closes. Unlike a stream of Node.js, it shares permits to read with other streams:
 * the event loop accepts one connection per iteration, and without a limit one iteration serves every reader.
 */
export class DiskObjectStream extends Readable {
  private position: number;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly handle: FileHandle,
    private readonly range: ByteRange,
    private readonly reads: Permits,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
    this.position = range.start;
  }

  override _read(): void {
    this.reading = this.reads.run(() => this.readChunk()).catch((error: Error) => void this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // After the pending read: another file could get the descriptor of a closed one.
    callbackify(() => this.close())((closing) => callback(error ?? closing));
  }

  private async close(): Promise<void> {
    await this.reading;
    await this.handle.close();
  }

  private async readChunk(): Promise<void> {
    if (this.destroyed) return;
    const length = Math.min(CHUNK_BYTES, this.range.end + 1 - this.position);
    if (length <= 0) return void this.push(null);
    const { buffer, bytesRead } = await this.handle.read(
      Buffer.allocUnsafe(length),
      0,
      length,
      this.position,
    );
    this.position += bytesRead;
    this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
  }
}
