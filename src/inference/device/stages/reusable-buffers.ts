/** Enough for the batches that run, wait, or are being pasted, in two sizes. */
const MAX_FREE_BUFFERS = 8;

/**
 * Reuses the buffers into which the results of batches are written. The results of a GPU are megabytes, and allocating
 * new pages would take longer than the copy.
 */
export class ReusableBuffers {
  private readonly free: ArrayBuffer[] = [];
  private readonly taken = new WeakSet<ArrayBuffer>();

  /** A buffer of exactly this size, with any content. */
  take(bytes: number): ArrayBuffer {
    const at = this.free.findIndex(({ byteLength }) => byteLength === bytes);
    const buffer = at === -1 ? new ArrayBuffer(bytes) : this.free.splice(at, 1)[0]!;
    this.taken.add(buffer);
    return buffer;
  }

  /** Whether a buffer comes from `take`. */
  has(buffer: ArrayBuffer): boolean {
    return this.taken.has(buffer);
  }

  /** Takes buffers back. The oldest are dropped when there are too many. */
  give(buffers: readonly ArrayBuffer[]): void {
    this.free.push(...buffers);
    this.free.splice(0, this.free.length - MAX_FREE_BUFFERS);
  }
}
