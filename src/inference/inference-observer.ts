import type { LoweredStage, RunReport } from './device/device-port.js';

/** A batch of one or several jobs. Unix times in milliseconds. */
export interface BatchReport {
  readonly stageId: string;
  readonly items: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The values that `origin` returned for its items, without undefined. */
  readonly origins: readonly unknown[];
}

/** Observes items on their way through the device, for metrics. Must not throw. */
export interface InferenceObserver {
  /** A graph has run; not called for warm-ups. */
  onRun(run: RunReport): void;
  /** The largest batch of a stage did not fit into memory at warm-up; called once for each stream. */
  onLowered?(stage: LoweredStage): void;
  /** An item was sent to the device after waiting in the host for a batch or for its turn. */
  onWait(stageId: string, waitMs: number): void;
  /**
   * A batch was sent to the device.
   * @returns called when the device returns it, or is lost
   */
  onSent?(): () => void;
  /** Called when an item is submitted; `onBatch` gets the returned value. */
  origin?(): unknown;
  /** The device returned a batch. */
  onBatch?(batch: BatchReport): void;
}
