/** A holder that sends fewer than `MIN_BYTES` in this time is slow: 0.8 kB/s, less than any mobile network. */
export const SLOW_AFTER_MS = 5_000;
const MIN_BYTES = 4_096;

/** Places that a request holds while its body arrives. */
export class HeldPlaces {
  private sinceMs = performance.now();
  private bytes = 0;
  private hasArrived = false;

  /** @param onRevoked called once, when waiting requests need the places; without it, they are never revoked */
  constructor(
    readonly accountId: string,
    private readonly free: (places: HeldPlaces) => void,
    private readonly onRevoked: (() => void) | undefined,
  ) {}

  /** Whether the sender makes no progress that is worth the places. */
  get isSlow(): boolean {
    if (this.hasArrived || this.onRevoked === undefined) return false;
    return performance.now() - this.sinceMs >= SLOW_AFTER_MS;
  }

  /** More bytes of the body have arrived. */
  progress(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes < MIN_BYTES) return;
    this.bytes = 0;
    this.sinceMs = performance.now();
  }

  /** The body has arrived: from now on, the places do not depend on the sender. */
  arrived(): void {
    this.hasArrived = true;
  }

  /** Ends the request of a slow sender. */
  revoke(): void {
    this.onRevoked?.();
    this.release();
  }

  /** Idempotent. */
  release(): void {
    this.free(this);
  }
}
