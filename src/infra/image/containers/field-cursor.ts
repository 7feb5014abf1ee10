import { damaged } from '../codec/refusals.js';
import type { ByteReader } from './byte-reader.js';

/** Reads consecutive big-endian fields; a field beyond the end of the box is damage. */
export class FieldCursor {
  constructor(
    private readonly reader: ByteReader,
    private offset: number,
    private readonly end: number,
  ) {}

  /** An unsigned field of 0 (absent: 0), 1, 2, 4 or 8 bytes. */
  async uint(lengthBytes: number): Promise<number> {
    if (lengthBytes === 0) return 0;
    if (this.offset + lengthBytes > this.end) throw damaged('an AVIF box is truncated');
    const bytes = await this.reader.read(this.offset, lengthBytes);
    this.offset += lengthBytes;
    return lengthBytes === 8 ? Number(bytes.readBigUInt64BE(0)) : bytes.readUIntBE(0, lengthBytes);
  }
}
