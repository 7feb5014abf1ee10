import type { ModelVersion } from '../repository/model-version.js';
import type { Config } from '../../config/env.js';
import { providerCandidates } from '../../inference/engines/execution-provider.js';
import type { TrialDevice } from '../../inference/engines/trial-device.js';
import { configuredTriton } from '../../inference/engines/triton/configured-triton.js';
import { checkVersion } from '../check/check-version.js';
import type { ModelFault } from './model-fault.js';
import { runTrialInProcess } from './trial-process.js';

/**
 * Tries one version; null when it runs.
 * @throws the signal's reason
 */
export type VersionTrial = (version: ModelVersion, signal: AbortSignal) => Promise<ModelFault | null>;

/** How versions are tried before they may serve: a check on the CPU, then a run on the device. */
export function versionTrial(config: Config, on: TrialDevice): VersionTrial {
  return async (version, signal) => {
    const { folder } = version;
    // The URL may contain a password, so only versions that need it get it.
    const triton = version.isRemote ? configuredTriton(config) : undefined;
    const memoryLimitBytes = config.modelCheckMemoryBytes;
    const verdict = await checkVersion(folder, { memoryLimitBytes, triton, signal });
    if (!verdict.ok) return verdict;
    // The check ran on the CPU. Only another device itself can show whether it runs the version.
    const isCpuOnly = providerCandidates(on.device).every((provider) => provider === 'cpu');
    if (isCpuOnly) return null;
    const { precision } = config;
    return runTrialInProcess({ folder, ...on, threads: 1, precision, triton }, signal);
  };
}
