import type { LoggerService } from '@nestjs/common';
import type { Catalog } from '../repository/catalog.js';
import type { ModelVersion } from '../repository/model-version.js';
import { isOutOfMemory } from '../../inference/device/stages/out-of-memory.js';
import { UnfitModel } from '../../inference/engines/triton/server-errors.js';
import { servingCatalog, type ServingCatalogOptions } from './serving-catalog.js';
import { versionName } from './exchange.js';
import { suspectVersions } from './suspect-versions.js';
import { errorLine } from '../../kernel/errors/error-text.js';

export interface FallbackOptions<Devices> {
  readonly serving: ServingCatalogOptions;
  /** Loads every model of a catalog. @throws Error when one does not load */
  readonly start: (catalog: Catalog) => Promise<Devices>;
  /** Whether a device fails with any model. */
  readonly isDeviceBroken: () => Promise<boolean>;
  /** How many workers in a row have died while loading. */
  readonly deaths: number;
  readonly logger: LoggerService;
}

export interface FallbackResult<Devices> {
  readonly catalog: Catalog;
  readonly devices: Devices;
  /** Models that were left out although they are valid alone. They are refused for the lifetime of this process. */
  readonly leftOut: readonly ModelVersion[];
}

/**
 * Starts with all models if they load. If they do not, each is tried alone. If that finds no culprit (a version may
 * pass its trial on the CPU but not load on the device, or all together may be too large), versions that are not
 * committed are left out one by one, the most likely culprit first, until the rest loads. The decision is not stored,
 * so the next worker tries again.
 * @throws the last error, when only committed models remain or the device itself does not work
 */
export async function loadWithFallback<Devices>(
  options: FallbackOptions<Devices>,
): Promise<FallbackResult<Devices>> {
  const { serving, start, deaths, logger } = options;
  const leftOut: ModelVersion[] = [];
  let catalog = await servingCatalog(serving);
  for (let more = deaths - 1; more > 0; more -= 1) {
    const reason = `a worker died ${deaths} times while it loaded it with the others`;
    catalog = (await without(catalog, reason)) ?? catalog;
  }
  let isEachTried = deaths > 0;
  for (;;) {
    try {
      return { catalog, devices: await start(catalog), leftOut };
    } catch (error) {
      if (await options.isDeviceBroken()) throw error;
      // When memory is exhausted, each may still fit alone, so trying them alone would reveal nothing.
      const next = isEachTried || isOutOfMemory(error) ? undefined : await triedOneByOne(catalog, error);
      isEachTried ||= !isOutOfMemory(error);
      const rest =
        next ?? (await without(catalog, `it does not load with the others: ${errorLine(error)}`, error));
      if (rest === undefined) throw error;
      catalog = rest;
    }
  }

  /** Undefined when it finds no culprit. */
  async function triedOneByOne(before: Catalog, error: unknown): Promise<Catalog | undefined> {
    logger.warn(
      { error: String(error) },
      'the models do not load together; trying each one separately',
      'models',
    );
    const tried = await servingCatalog({
      ...serving,
      isTrialNeeded: () => true,
      servedBefore: async () => new Map(),
    });
    if (tried.loaded().length === 0) {
      // The device failed, not the models, which are valid as soon as it works.
      await serving.verdicts.forgetRefusals();
      throw error;
    }
    return isSame(tried, before) ? undefined : tried;
  }

  /** The catalog without its most likely culprit; undefined when there is none to leave out. */
  async function without(from: Catalog, reason: string, error?: unknown): Promise<Catalog | undefined> {
    const [suspect] = await suspectVersions(from, error);
    if (suspect === undefined) return undefined;
    logger.warn(
      { version: `${suspect.manifest.operation}/${suspect.version}`, reason },
      'leaving out a model version',
      'models',
    );
    leftOut.push(suspect);
    const remote = error instanceof UnfitModel ? 'unfit' : undefined;
    await serving.verdicts.note(suspect, { reason, isTransient: true, remote });
    return servingCatalog(serving);
  }
}

function isSame(a: Catalog, b: Catalog): boolean {
  const namesOf = (catalog: Catalog) => catalog.inMemory().map(versionName).join();
  return namesOf(a) === namesOf(b);
}
