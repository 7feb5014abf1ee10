/**
 * Counts the connections that are held open for waiting. A page has six to one host for all that it does: who
 * holds them all for waiting can do nothing else.
 */
export class HeldConnections {
  private held = 0;

  constructor(private readonly max: number) {}

  /** @returns gives it back; undefined when there is none to have */
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
