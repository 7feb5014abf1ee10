import { RunStopped } from '../lease-keeper.js';
import type { MemoryBudget } from './memory-budget.js';

/** The share of the memory that a test job may take while live jobs wait. */
const MAX_FOR_TEST_JOB = 0.5;

/**
 * Test jobs that take most of the memory. They start only while no live job waits, and return to the queue when one
 * comes that finds no memory: anyone can create test jobs for free, and one of them may take minutes to encode.
 */
export class LargeTestJobs {
  private readonly running = new Set<AbortController>();

  constructor(
    private readonly budget: MemoryBudget,
    private readonly totalBytes: number,
  ) {}

  isLarge(memoryBytes: number): boolean {
    return memoryBytes > this.totalBytes * MAX_FOR_TEST_JOB;
  }

  /** A large test job takes its memory. @returns call it once, when the job has ended */
  enter(abort: AbortController): () => void {
    this.running.add(abort);
    return () => this.running.delete(abort);
  }

  /** Stops those that run, because a live job found no memory. @returns resolves when memory was released */
  giveWay(): Promise<void> {
    const freed = this.budget.freed();
    for (const abort of this.running) abort.abort(new RunStopped('displaced'));
    return freed;
  }
}
