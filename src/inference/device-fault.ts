import { StageError } from './stage-error.js';

/** A device thread ended or got stuck, or its device is broken. The process should be replaced. */
export class DeviceLostError extends Error {
  override readonly name = 'DeviceLostError';
}

/** Whether a run failed because of its device, not because of its item: another device may run it, or this one later. */
export function isDeviceFault(error: unknown): boolean {
  return error instanceof DeviceLostError || (error instanceof StageError && error.isOutOfMemory);
}
