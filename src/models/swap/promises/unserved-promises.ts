import type { LoggerService } from '@nestjs/common';
import type { Notifications } from '../../../infra/database/notifications.js';
import type { Catalog } from '../../repository/catalog.js';
import { UNTRIED, type VersionCheckResult, versionsIn } from '../../repository/load-catalog.js';
import type { ModelVersion } from '../../repository/model-version.js';
import { MODELS_RELOAD } from '../../serving/models-reload.js';
import { versionKey, versionName } from '../exchange.js';
import { foundVersions } from '../found-versions.js';
import type { ModelVerdicts } from '../model-verdicts.js';
import { owedVersions, type UnservedJobs } from './owed-versions.js';

export interface UnservedPromisesOptions {
  readonly modelsDir: string;
  /** The catalog that this process serves. */
  readonly loaded: Catalog;
  readonly verdicts: Pick<ModelVerdicts, 'has' | 'reason' | 'refresh'>;
  readonly readUnserved: () => Promise<UnservedJobs>;
  /**
   * Called when a worker that loads the promised versions again should take over. `isOwed` tells whether jobs still
   * wait for it.
   */
  readonly onOwed: (isOwed: () => Promise<boolean>) => void;
  readonly logger: LoggerService;
  /** Pause between two checks. Default: 15 s. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 15_000;

/**
 * Requests another worker for accepted jobs that no worker can run although the model repository has their version. A
 * worker loads the versions of unfinished jobs when it starts, but the api promises what the last worker served until
 * the new one has announced itself, so jobs may be accepted in between.
 */
export class UnservedPromises {
  private timer: NodeJS.Timeout | undefined;
  private isEnded = false;
  private unsubscribe: () => void = () => undefined;
  /** What the last check found; nothing else is to be done before it changes. */
  private seen = '';
  /** The kinds and versions of the last request. */
  private requested = '';
  /** The versions of the last request, until it failed. */
  private asked: readonly ModelVersion[] = [];
  /** The versions in the repository at the last check. */
  private available = '';
  /** Keys of versions with which no worker took over. Each attempt would load all models next to those of this worker. */
  private readonly refused = new Set<string>();

  constructor(private readonly options: UnservedPromisesOptions) {}

  begin(notifications: Pick<Notifications, 'subscribe'>): void {
    this.unsubscribe = notifications.subscribe(MODELS_RELOAD, (payload) => {
      if (payload !== null) this.forget();
    });
    this.wait();
  }

  end(): void {
    this.isEnded = true;
    clearTimeout(this.timer);
    this.unsubscribe();
  }

  /**
   * Handles a successor that did not take over: the versions of the last request are requested again only after a change
   * of the repository, or if an operator requests a scan.
   */
  stay(why: string): void {
    if (this.asked.length === 0) return;
    const versions = this.asked.map(versionName);
    this.options.logger.warn(
      { versions, why },
      'no other worker took over; accepted jobs still need versions that no worker has loaded',
      'models',
    );
    for (const version of this.asked) this.refused.add(versionKey(version));
    this.asked = [];
  }

  private forgetRequest(): void {
    this.seen = '';
    this.requested = '';
  }

  private forget(): void {
    this.forgetRequest();
    this.refused.clear();
  }

  private wait(): void {
    if (this.isEnded) return;
    const { pauseMs = PAUSE_MS } = this.options;
    this.timer = setTimeout(() => void this.checkThenWait(), pauseMs).unref();
  }

  private async checkThenWait(): Promise<void> {
    const { loaded, logger, onOwed, readUnserved } = this.options;
    try {
      const owed = await this.newlyOwed();
      if (owed.length > 0 && !this.isEnded) {
        const versions = owed.map(versionName);
        logger.warn({ versions }, 'accepted jobs need versions that no worker has loaded', 'models');
        onOwed(async () => owedVersions(loaded, owed, await readUnserved()).length > 0);
      }
    } catch (error) {
      logger.warn({ error: String(error) }, 'could not look for jobs that no worker can run', 'models');
    }
    this.wait();
  }

  /** Empty if the same versions were requested for the same kinds, or did not load. */
  private async newlyOwed(): Promise<readonly ModelVersion[]> {
    const { modelsDir, loaded, verdicts, readUnserved } = this.options;
    const unserved = await readUnserved();
    if (unserved.kinds.length === 0) {
      // A worker that waits for its turn to exit stays if no job needs it any more, and must ask for later jobs.
      this.forgetRequest();
      return [];
    }
    const available = await versionsIn(modelsDir);
    if (JSON.stringify(available) !== this.available) this.forget();
    this.available = JSON.stringify(available);
    const has = loaded.loadedVersions();
    const missing = unserved.promised.filter(
      (one) => !has.some(({ operation, version }) => operation === one.operation && version === one.version),
    );
    const kinds = unserved.kinds.toSorted();
    const state = JSON.stringify([kinds, missing.map((one) => `${one.operation}/${one.version}`).toSorted()]);
    if (state === this.seen) return [];
    await verdicts.refresh();
    const judge = (version: ModelVersion) => this.judge(version);
    const { versions } = await foundVersions(modelsDir, missing, available, judge);
    this.seen = state;
    const owed = owedVersions(loaded, versions, unserved).filter((one) => !this.refused.has(versionKey(one)));
    const request = JSON.stringify([kinds, owed.map(versionKey).toSorted()]);
    const isNew = owed.length > 0 && request !== this.requested;
    this.requested = owed.length > 0 ? request : '';
    if (!isNew) return [];
    this.asked = owed;
    return owed;
  }

  /** An inference server may lack the model of an untried version. Then each new worker would ask for the next one. */
  private judge(version: ModelVersion): VersionCheckResult {
    const { verdicts } = this.options;
    const isRemote = Object.values(version.manifest.stages).some(({ remote }) => remote !== undefined);
    if (isRemote && !verdicts.has(version)) return UNTRIED;
    return verdicts.reason(version) ?? null;
  }
}
