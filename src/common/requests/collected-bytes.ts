const MIN_CAPACITY = 4_096;

/** Collects chunks by copying them, because a chunk of a few bytes takes hundreds of bytes as an object of its own. */
export class CollectedBytes {
  private size = 0;
  private bytes: Buffer;

  /** @param capacity expected size, bytes; memory that stays unused is not taken from the system */
  constructor(capacity = 0) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.size;
  }

  add(chunk: Buffer): void {
    const needed = this.size + chunk.length;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(MIN_CAPACITY, needed, 2 * this.bytes.length));
      this.bytes.copy(larger, 0, 0, this.size);
      this.bytes = larger;
    }
    chunk.copy(this.bytes, this.size);
    this.size = needed;
  }

  /** All bytes as UTF-8. */
  text(): string {
    return this.bytes.toString('utf8', 0, this.size);
  }

  /** All bytes as UTF-8. @throws TypeError when they are not UTF-8 */
  validText(): string {
    return new TextDecoder('utf-8', { fatal: true }).decode(this.bytes.subarray(0, this.size));
  }
}
