import type { Config } from '../../config/env.js';
import type { InferenceDevice } from './execution-provider.js';

/**
 * What versions are tried on: what they will run on, but for WebGPU, where two processes on one device can end each
 * other. There the new worker's own start is the trial.
 */
export function trialDevice({
  inferenceDevice,
  inferenceDevices,
}: Pick<Config, 'inferenceDevice' | 'inferenceDevices'>): InferenceDevice {
  const device = inferenceDevices?.[0]?.provider ?? inferenceDevice;
  return device === 'webgpu' ? 'cpu' : device;
}
