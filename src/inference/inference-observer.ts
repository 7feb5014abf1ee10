import type { RunReport } from './device/device-port.js';

/** Told what happens on the way through the device, for metrics. Must not throw. */
export interface InferenceObserver {
  /** A graph has run; warm-ups are not told. */
  onRun(run: RunReport): void;
  /** An item has left for the device after waiting in the host for company, or for its turn. */
  onWait(stageId: string, waitMs: number): void;
}
