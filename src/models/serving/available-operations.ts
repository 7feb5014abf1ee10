import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Catalog } from '../repository/catalog.js';
import type { CatalogOperation } from '../repository/described-versions.js';
import { Notifications } from '../../infra/database/notifications.js';
import { modelHealth } from './health/model-health.js';
import type { ModelHealthDto } from './model-health.dto.js';
import { type PreferredVersions, preferredVersions, versionRank } from '../repository/version-choice.js';
import { type ActiveCanary, activeCanaries, isInCanary, type Requester } from './canary-share.js';
import { VersionChoicesRepository } from './version-choices.repository.js';
import { type KnownModelWorker, MODELS_CHANGED, ModelWorkersRepository } from './model-workers.repository.js';
import { isDatabaseUnavailable } from '../../infra/database/database-errors.js';

/** Refresh interval, in case a notification was lost or a worker died silently. */
export const OFFER_REFRESH_MS = 15_000;

/**
 * The operations that may be promised. For each one, this is the version that an operator chose if a live worker serves
 * it, otherwise the one that served before it, otherwise the highest version that a live worker serves. Without a live
 * worker, it is what the last worker served; before the first worker, what the model repository offers. So a new
 * version is promised only once a worker has loaded it, and an old one only while it is served.
 */
@Injectable()
export class AvailableOperations implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('models');
  private offered: readonly CatalogOperation[];
  private served: readonly CatalogOperation[];
  private canaries: ReadonlyMap<string, ActiveCanary> = new Map();
  private known: readonly KnownModelWorker[] = [];
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: () => void = () => undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly catalog: Catalog,
    private readonly workers: ModelWorkersRepository,
    private readonly choices: VersionChoicesRepository,
    private readonly notifications: Notifications,
  ) {
    this.offered = catalog.operations();
    this.served = this.offered;
  }

  /** The operations by name. */
  operations(): readonly CatalogOperation[] {
    return this.offered;
  }

  /** The operations by name, with the canaries that this requester gets. */
  operationsFor(requester: Requester): readonly CatalogOperation[] {
    if (this.canaries.size === 0) return this.offered;
    return this.offered.map((operation) => {
      const canary = this.canaries.get(operation.operation);
      return canary !== undefined && isInCanary(canary, requester) ? canary.operation : operation;
    });
  }

  /** Every version that may be pinned: those that live workers serve, canaries, and promoted canaries. Unordered. */
  versions(): readonly CatalogOperation[] {
    return this.served;
  }

  /** The health of the models, from memory, so that it is available while the database is not. */
  health(): ModelHealthDto {
    return modelHealth(this.offered, this.known, this.catalog.refusals);
  }

  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.unsubscribe = this.notifications.subscribe(MODELS_CHANGED, () => void this.refresh());
    this.timer = setInterval(() => void this.refresh(), OFFER_REFRESH_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.unsubscribe();
    await this.reading;
  }

  /** Runs refreshes one after the other, so that an older result never replaces a newer one. */
  private refresh(): Promise<void> {
    this.reading = this.reading.then(() => this.read());
    return this.reading;
  }

  private async read(): Promise<void> {
    try {
      const [known, choices] = await Promise.all([this.workers.all(), this.choices.all()]);
      this.known = known;
      this.offered = offeredBy(known, preferredVersions(choices)) ?? this.offered;
      this.canaries = activeCanaries(known, choices);
      const canaries = [...this.canaries.values()].map(({ operation }) => operation);
      const served = servedBy(known);
      // A promoted canary is offered before its workers announce it as the serving version.
      if (served !== undefined) this.served = [...served, ...this.offered, ...canaries];
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        this.logger.error({ error: String(error) }, 'could not look up models');
    }
  }
}

/** All versions of all operations, once for each worker that serves them; undefined like `offeredBy`. */
function servedBy(workers: readonly KnownModelWorker[]): readonly CatalogOperation[] | undefined {
  const serving = workers.filter(({ alive, state }) => alive && state === 'serving');
  const heard = serving.length > 0 ? serving : workers.slice(0, 1);
  return heard.length === 0 ? undefined : heard.flatMap(({ operations }) => operations);
}

/** The preferred or highest version of each operation; undefined when no worker has ever reported. */
export function offeredBy(
  workers: readonly KnownModelWorker[],
  preferred: PreferredVersions,
): readonly CatalogOperation[] | undefined {
  const served = servedBy(workers);
  if (served === undefined) return undefined;
  // A promoted canary serves at once, before workers without the previous version take over.
  const promoted = workers
    .filter(({ alive, state }) => alive && state === 'serving')
    .flatMap(({ canaries }) => canaries)
    .filter(({ operation, model }) => preferred.get(operation)?.[0] === model.version);
  const best = new Map<string, CatalogOperation>();
  const rank = ({ operation, model }: CatalogOperation): number =>
    versionRank(model.version, preferred.get(operation));
  for (const operation of [...served, ...promoted]) {
    const known = best.get(operation.operation);
    if (known === undefined || rank(known) < rank(operation)) best.set(operation.operation, operation);
  }
  return [...best.values()].toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
}
