import type { RunReport } from './device/device-port.js';

/** A batch of one or several jobs. Unix times in milliseconds. */
export interface BatchReport {
  readonly stageId: string;
  readonly items: number;
  readonly startMs: number;
  readonly endMs: number;
  /** What `origin` said of its items; nothing where it said undefined. */
  readonly origins: readonly unknown[];
}

/** Told what happens on the way through the device, for metrics. Must not throw. */
export interface InferenceObserver {
  /** A graph has run; warm-ups are not told. */
  onRun(run: RunReport): void;
  /** An item has left for the device after waiting in the host for company, or for its turn. */
  onWait(stageId: string, waitMs: number): void;
  /** Asked when an item is submitted: what `onBatch` is told it came from. */
  origin?(): unknown;
  /** A batch has come back from the device. */
  onBatch?(batch: BatchReport): void;
}
