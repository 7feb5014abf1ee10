import { mkdir } from 'node:fs/promises';
import type { LoggerService } from '@nestjs/common';
import { isBuiltIn } from '../repository/built-in-versions.js';
import type { Catalog } from '../repository/catalog.js';
import type { PromisedVersion } from '../repository/model-promise.js';
import type { Config } from '../../config/env.js';
import type { EnhancerPool } from '../../inference/enhancer-pool.js';
import {
  canariesOf,
  preferredVersions,
  shadowsOf,
  type VersionChoice,
} from '../repository/version-choice.js';
import { versionChoices } from '../serving/version-choices.repository.js';
import { promisedVersions } from '../serving/promised-versions.js';
import { VerdictsTable } from '../serving/verdicts-table.js';
import { probeDevice } from '../../inference/device/probe-device.js';
import { predecessor } from '../../roles/role-channel.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import { LoadingMarker } from './loading-marker.js';
import { ModelVerdicts } from './model-verdicts.js';
import { type FallbackResult, loadWithFallback } from './load-with-fallback.js';
import { unservedChoices } from './unserved-choices.js';
import { trialDevice } from '../../inference/device/trial-device.js';
import { type VersionTrial, versionTrial } from './version-trial.js';

export interface LoadedModels extends FallbackResult<EnhancerPool> {
  /** Versions that were promised to unfinished jobs. */
  readonly promised: readonly PromisedVersion[];
  /** Which versions operators chose. */
  readonly choices: readonly VersionChoice[];
  readonly verdicts: ModelVerdicts;
  readonly runTrial: VersionTrial;
}

/**
 * Loads the models of a worker. Most starts load them directly, because trying each in its own process would double the
 * time. The operator's own versions are tried when they are new; committed ones only when loading fails, or when it
 * killed the process the last time. Versions that do not run are refused.
 * @throws Error when the device itself does not work
 */
export async function loadModels(
  { config, databaseUrl }: RoleSettings,
  logger: LoggerService,
  start: (catalog: Catalog) => Promise<EnhancerPool>,
): Promise<LoadedModels> {
  await mkdir(config.dataDir, { recursive: true });
  const on = await trialDevice(config);
  const verdicts = new ModelVerdicts(new VerdictsTable(databaseUrl), {
    device: on.device,
    precision: config.precision,
    memoryLimitBytes: config.modelCheckMemoryBytes,
  });
  const runTrial = versionTrial(config, on);
  const also = await promisedVersions(databaseUrl);
  const choices = await versionChoices(databaseUrl);
  const preferred = preferredVersions(choices);
  const { marker, deaths } = await LoadingMarker.set(config.dataDir);
  try {
    if (deaths > 0)
      logger.warn('a worker died while loading its models; trying each one separately', 'models');
    const fitting = await loadWithFallback({
      serving: {
        modelsDir: config.modelsDir,
        verdicts,
        also,
        preferred,
        canaries: canariesOf(choices),
        shadows: shadowsOf(choices),
        isTrialNeeded: (version) => deaths > 0 || !isBuiltIn(version),
        servedBefore: deaths > 0 ? async () => new Map<string, number>() : servedBefore,
        runTrial: (version) => runTrial(version, new AbortController().signal),
      },
      start,
      isDeviceBroken: () => isDeviceBroken(config),
      deaths,
      logger,
    });
    for (const refusal of fitting.catalog.refusals) logger.warn(refusal, 'model version refused', 'models');
    for (const sentence of unservedChoices(fitting.catalog, preferred)) logger.warn(sentence, 'models');
    return { ...fitting, promised: also, choices, verdicts, runTrial };
  } finally {
    await marker.remove();
  }
}

/**
 * The versions that the previous worker serves, by operation. A successor tries others only after it has taken over, so
 * that its start does not wait for them.
 */
async function servedBefore(): Promise<ReadonlyMap<string, number>> {
  const serves = (await predecessor())?.serves ?? [];
  const serving = serves.filter(({ isCanary, isShadow }) => isCanary !== true && isShadow !== true);
  return new Map(serving.map(({ operation, version }) => [operation, version]));
}

/** Whether one of the explicitly chosen devices does not work at all; `auto` falls back to the CPU, which does. */
async function isDeviceBroken({ inferenceDevice, inferenceDevices }: Config): Promise<boolean> {
  const chosen = inferenceDevices ?? (inferenceDevice === 'auto' ? [] : [{ provider: inferenceDevice }]);
  for (const device of chosen) if ((await probeDevice(device)) !== null) return true;
  return false;
}
