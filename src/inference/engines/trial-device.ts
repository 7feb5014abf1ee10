import type { Config } from '../../config/env.js';
import type { InferenceDevice } from './execution-provider.js';

export interface TrialDevice {
  readonly device: InferenceDevice;
  /** Index among the accelerators of its kind; undefined: the runtime's default. */
  readonly index?: number | undefined;
}

/**
 * The device for trial runs of versions: the first on which they will run, except for WebGPU, where two processes on one
 * device can crash each other. With WebGPU, the startup of the new worker is the trial.
 */
export function trialDevice({
  inferenceDevice,
  inferenceDevices,
}: Pick<Config, 'inferenceDevice' | 'inferenceDevices'>): TrialDevice {
  const first = inferenceDevices?.[0];
  const device = first?.provider ?? inferenceDevice;
  return device === 'webgpu' ? { device: 'cpu' } : { device, index: first?.index };
}
