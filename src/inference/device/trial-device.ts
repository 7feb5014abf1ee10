import type { Config } from '../../config/env.js';
import { type ExecutionProvider, providerCandidates } from '../engines/execution-provider.js';
import { isDeviceUsable } from './usable-device.js';

export interface TrialDevice {
  readonly device: ExecutionProvider;
  /** Index among the accelerators of its kind; undefined: the runtime's default. */
  readonly index?: number | undefined;
  /** Whether `auto` leads to the device, so that engines without it may use another one. */
  readonly isGuess?: boolean;
}

/**
 * The device for trial runs of versions: the first on which they will run, except for WebGPU, where two processes on one
 * device can crash each other. With WebGPU, the startup of the new worker is the trial. A trial never runs
 * with `auto`, because that falls back to the CPU, which runs almost every version.
 * @param isUsable whether a provider works with any model
 * @param candidates the providers that `auto` tries
 */
export async function trialDevice(
  { inferenceDevice, inferenceDevices }: Pick<Config, 'inferenceDevice' | 'inferenceDevices'>,
  isUsable = isDeviceUsable,
  candidates = providerCandidates('auto'),
): Promise<TrialDevice> {
  const first = inferenceDevices?.[0];
  const device = first?.provider ?? inferenceDevice;
  if (device === 'auto') {
    const isCuda = candidates.includes('cuda') && (await isUsable({ provider: 'cuda' }));
    return { device: isCuda ? 'cuda' : 'cpu', isGuess: true };
  }
  return device === 'webgpu' ? { device: 'cpu' } : { device, index: first?.index };
}
