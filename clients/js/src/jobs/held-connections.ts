/**
 * Counts the connections that are held open while waiting. A browser has six connections per host: if all of them wait,
 * nothing else can be requested.
 */
export class HeldConnections {
  private held = 0;

  constructor(private readonly max: number) {}

  /** @returns a function that releases the connection; undefined when none is available */
  take(): (() => void) | undefined {
    if (this.held >= this.max) return undefined;
    this.held += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.held -= 1;
      isHeld = false;
    };
  }
}
