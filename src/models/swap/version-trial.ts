import type { ModelVersion } from '../repository/model-version.js';
import type { Config } from '../../config/env.js';
import type { TrialDevice } from '../../inference/device/trial-device.js';
import { isDeviceUsable } from '../../inference/device/usable-device.js';
import { configuredTriton } from '../../inference/engines/triton/configured-triton.js';
import { checkVersion } from '../check/check-version.js';
import type { ModelFault } from './model-fault.js';
import { runTrialInProcess } from './trial-process.js';

/**
 * Tries one version; null when it runs.
 * @throws the signal's reason
 */
export type VersionTrial = (version: ModelVersion, signal: AbortSignal) => Promise<ModelFault | null>;

/**
 * How versions are tried before they may serve: a check on the CPU, then a run on the device.
 * @param isUsable whether a device works with any model
 */
export function versionTrial(
  config: Pick<Config, 'modelCheckMemoryBytes' | 'precision'> & Parameters<typeof configuredTriton>[0],
  on: TrialDevice,
  isUsable = isDeviceUsable,
): VersionTrial {
  return async (version, signal) => {
    const { folder } = version;
    // The URL may contain a password, so only versions that need it get it.
    const triton = version.isRemote ? configuredTriton(config) : undefined;
    const memoryLimitBytes = config.modelCheckMemoryBytes;
    const verdict = await checkVersion(folder, { memoryLimitBytes, triton, signal });
    if (!verdict.ok) return verdict;
    // The check ran on the CPU. Only another device itself can show whether it runs the version.
    const { device: provider, index } = on;
    if (provider === 'cpu') return null;
    const { precision } = config;
    const fault = await runTrialInProcess({ folder, ...on, threads: 1, precision, triton }, signal);
    if (fault === null || fault.isTransient) return fault;
    // A device that has failed since shows nothing about the version.
    return (await isUsable({ provider, index })) ? fault : { ...fault, isTransient: true };
  };
}
