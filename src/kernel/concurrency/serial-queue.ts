import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs tasks one at a time in order, and low-priority tasks while no other task waits. */
export class SerialQueue {
  private last: Promise<void> = Promise.resolve();
  private length = 0;
  private closed = false;

  /** @param task must not throw */
  add(task: () => Promise<void>): void {
    this.length++;
    this.last = this.last.then(task).finally(() => this.length--);
  }

  /**
   * Runs a task when no other task waits; tasks that arrive meanwhile run after it. Resolves when it has run
   * or was skipped.
   */
  async addWhenIdle(task: () => Promise<void>): Promise<void> {
    do {
      await this.last;
      // Receive messages that arrived while the thread was busy.
      await nextTurn();
    } while (this.length > 0);
    if (!this.closed) this.add(task);
    await this.last;
  }

  /** Skips low-priority tasks from now on. */
  close(): void {
    this.closed = true;
  }
}
