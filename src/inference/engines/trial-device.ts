import type { Config } from '../../config/env.js';
import type { InferenceDevice } from './execution-provider.js';

/**
 * The device for trial runs of versions: the one on which they will run, except for WebGPU, where two processes on one
 * device can crash each other. With WebGPU, the startup of the new worker is the trial.
 */
export function trialDevice({
  inferenceDevice,
  inferenceDevices,
}: Pick<Config, 'inferenceDevice' | 'inferenceDevices'>): InferenceDevice {
  const device = inferenceDevices?.[0]?.provider ?? inferenceDevice;
  return device === 'webgpu' ? 'cpu' : device;
}
