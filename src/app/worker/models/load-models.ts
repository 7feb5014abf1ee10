import { mkdir } from 'node:fs/promises';
import type { LoggerService } from '@nestjs/common';
import { isBuiltIn } from '../../../catalog/built-in-versions.js';
import type { Catalog } from '../../../catalog/catalog.js';
import type { ModelVersion } from '../../../catalog/model-version.js';
import type { Config } from '../../../config/env.js';
import { type InferenceDevice, providerCandidates } from '../../../inference/engines/execution-provider.js';
import type { EnhancerPool } from '../../../inference/enhancer-pool.js';
import { promisedVersions } from '../../../serving/promised-versions.js';
import type { RoleSettings } from '../../role/role-settings.js';
import { LoadingMarker } from './loading-marker.js';
import { ModelVerdicts } from './model-verdicts.js';
import { probeDevice } from '../../devices/probe-device.js';
import { checkVersion } from '../../model-check/check-version.js';
import { servedBy, servingCatalog, type ServingCatalogOptions } from './serving-catalog.js';
import { tryInProcess } from './trial-process.js';

export interface LoadedModels {
  readonly catalog: Catalog;
  readonly devices: EnhancerPool;
  readonly verdicts: ModelVerdicts;
  readonly tryVersion: (version: ModelVersion, signal: AbortSignal) => Promise<string | null>;
}

/**
 * Loads the models of a worker. Most starts load them at once, since trying each in a process of its own would take
 * as long again: versions of the operator's own are tried when they are new, the committed ones only when loading
 * fails or killed the process the last time. What does not run is refused.
 * @throws Error when the device itself does not work
 */
export async function loadModels(
  { config, databaseUrl }: RoleSettings,
  logger: LoggerService,
  start: (catalog: Catalog) => Promise<EnhancerPool>,
): Promise<LoadedModels> {
  await mkdir(config.dataDir, { recursive: true });
  const device = trialDevice(config);
  const verdicts = new ModelVerdicts(config.dataDir, device);
  const tryVersion = async ({ folder }: ModelVersion, signal: AbortSignal): Promise<string | null> => {
    const verdict = await checkVersion(folder, { memoryLimitBytes: config.modelCheckMemoryBytes, signal });
    if (!verdict.ok) return verdict.reason;
    // The check ran on the CPU; whether another device takes it only that device can tell.
    const isCpuOnly = providerCandidates(device).every((provider) => provider === 'cpu');
    return isCpuOnly ? null : tryInProcess({ folder, device, threads: 1 }, signal);
  };
  const options: ServingCatalogOptions = {
    modelsDir: config.modelsDir,
    verdicts,
    also: await promisedVersions(databaseUrl),
    isTrialNeeded: () => true,
    tryVersion: (version) => tryVersion(version, new AbortController().signal),
  };
  const { marker, diedBefore } = await LoadingMarker.set(config.dataDir);
  try {
    if (diedBefore)
      logger.warn('a worker died while it loaded its models; each is tried by itself', 'models');
    const isTrialNeeded = (version: ModelVersion): boolean => diedBefore || !isBuiltIn(version);
    let catalog = await servingCatalog({ ...options, isTrialNeeded });
    let devices: EnhancerPool;
    try {
      devices = await start(catalog);
    } catch (error) {
      // Not the models but the device: trying each would only take long.
      if (await isDeviceBroken(config)) throw error;
      logger.warn(
        { error: String(error) },
        'the models do not load together; each is tried by itself',
        'models',
      );
      const tried = await servingCatalog(options);
      if (tried.loaded().length === 0) {
        // Not the models but the device: they are sound as soon as that is.
        await verdicts.forgetRefusals();
        throw error;
      }
      if (servedBy(tried) === servedBy(catalog)) throw error;
      catalog = tried;
      devices = await start(catalog);
    }
    for (const refusal of catalog.refusals) logger.warn(refusal, 'model version refused', 'models');
    return { catalog, devices, verdicts, tryVersion };
  } finally {
    await marker.remove();
  }
}

/** Whether one of the devices that a person chose does not work at all; `auto` ends at the CPU, which does. */
async function isDeviceBroken({ inferenceDevice, inferenceDevices }: Config): Promise<boolean> {
  const chosen = inferenceDevices ?? (inferenceDevice === 'auto' ? [] : [{ provider: inferenceDevice }]);
  for (const device of chosen) if ((await probeDevice(device)) !== null) return true;
  return false;
}

/**
 * What versions are tried on: what they will run on, but for WebGPU, where two processes on one device can end each
 * other. There the new worker's own start is the trial.
 */
function trialDevice({ inferenceDevice, inferenceDevices }: Config): InferenceDevice {
  const device = inferenceDevices?.[0]?.provider ?? inferenceDevice;
  return device === 'webgpu' ? 'cpu' : device;
}
