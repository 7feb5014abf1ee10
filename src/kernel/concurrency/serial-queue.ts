import { setImmediate as nextTurn } from 'node:timers/promises';

/** One task after the other, in the order they come; and in between what can wait. */
export class SerialQueue {
  private last: Promise<void> = Promise.resolve();
  private length = 0;
  private closed = false;

  /** @param task must not throw */
  add(task: () => Promise<void>): void {
    this.length++;
    this.last = this.last.then(task).finally(() => this.length--);
  }

  /** Runs a task when nothing else waits; what comes meanwhile runs after it. Resolves when it has run or is left out. */
  async addWhenIdle(task: () => Promise<void>): Promise<void> {
    do {
      await this.last;
      // What was sent while the thread was busy is received only now.
      await nextTurn();
    } while (this.length > 0);
    if (!this.closed) this.add(task);
    await this.last;
  }

  /** From now on tasks that can wait are left out. */
  close(): void {
    this.closed = true;
  }
}
