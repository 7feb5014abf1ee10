/** A pause that work waits out. */
export class Pause {
  private ended: Promise<void> | undefined;
  private end: () => void = () => undefined;

  begin(): void {
    this.ended ??= new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** Lets everything that waits continue. */
  resume(): void {
    this.ended = undefined;
    this.end();
  }

  /** Resolves when there is no pause; another one may have begun meanwhile. */
  async over(): Promise<void> {
    await this.ended;
  }
}
