import type { LoggerService } from '@nestjs/common';
import type { Catalog } from '../../repository/catalog.js';
import { UNTRIED, type VersionCheckResult, versionsIn } from '../../repository/load-catalog.js';
import type { ModelVersion } from '../../repository/model-version.js';
import { versionName } from '../exchange.js';
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
  /** What the last check found; nothing else is to be done before it changes. */
  private seen = '';

  constructor(private readonly options: UnservedPromisesOptions) {}

  begin(): void {
    if (this.isEnded) return;
    const { pauseMs = PAUSE_MS } = this.options;
    this.timer = setTimeout(() => void this.checkThenWait(), pauseMs).unref();
  }

  end(): void {
    this.isEnded = true;
    clearTimeout(this.timer);
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
    this.begin();
  }

  /** Empty when the last check found the same. */
  private async newlyOwed(): Promise<readonly ModelVersion[]> {
    const { modelsDir, loaded, verdicts, readUnserved } = this.options;
    const unserved = await readUnserved();
    if (unserved.kinds.length === 0) return [];
    const available = await versionsIn(modelsDir);
    const state = JSON.stringify([unserved, available]);
    if (state === this.seen) return [];
    await verdicts.refresh();
    const has = loaded.loadedVersions();
    const missing = unserved.promised.filter(
      (one) => !has.some(({ operation, version }) => operation === one.operation && version === one.version),
    );
    const judge = (version: ModelVersion) => this.judge(version);
    const { versions } = await foundVersions(modelsDir, missing, available, judge);
    this.seen = state;
    return owedVersions(loaded, versions, unserved);
  }

  /** An inference server may lack the model of an untried version. Then each new worker would ask for the next one. */
  private judge(version: ModelVersion): VersionCheckResult {
    const { verdicts } = this.options;
    const isRemote = Object.values(version.manifest.stages).some(({ remote }) => remote !== undefined);
    if (isRemote && !verdicts.has(version)) return UNTRIED;
    return verdicts.reason(version) ?? null;
  }
}
