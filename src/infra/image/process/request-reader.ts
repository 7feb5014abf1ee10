import type { ImageRequest } from './image-process-protocol.js';

const NEWLINE = 10;

/** Splits standard input into requests and the files that follow them. */
export class RequestReader {
  private line: Buffer[] = [];
  private order: ImageRequest | undefined;
  private file: Buffer = Buffer.alloc(0);
  private filledBytes = 0;

  constructor(private readonly onOrder: (order: ImageRequest, file: Buffer) => void) {}

  push(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0;)
      rest = this.order === undefined ? this.head(rest) : this.body(rest);
  }

  /** @returns the bytes after the line */
  private head(chunk: Buffer): Buffer {
    const end = chunk.indexOf(NEWLINE);
    if (end === -1) {
      this.line.push(chunk);
      return chunk.subarray(chunk.length);
    }
    this.order = JSON.parse(Buffer.concat([...this.line, chunk.subarray(0, end)]).toString()) as ImageRequest;
    this.line = [];
    this.file = Buffer.allocUnsafeSlow(this.order.sizeBytes);
    this.filledBytes = 0;
    this.finishIfWhole();
    return chunk.subarray(end + 1);
  }

  /** @returns the bytes after the file */
  private body(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.file.length - this.filledBytes);
    part.copy(this.file, this.filledBytes);
    this.filledBytes += part.length;
    this.finishIfWhole();
    return chunk.subarray(part.length);
  }

  private finishIfWhole(): void {
    const { order, file } = this;
    if (order === undefined || this.filledBytes < file.length) return;
    this.order = undefined;
    this.file = Buffer.alloc(0);
    this.onOrder(order, file);
  }
}
