import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Notifications } from '../../infra/database/notifications.js';
import { AppError } from '../../kernel/app-error.js';
import {
  type ClaimedComparison,
  COMPARISON_WANTED,
  VersionComparisonsRepository,
} from '../../models/serving/comparisons/version-comparisons.repository.js';
import { ModelPresence } from '../../models/serving/model-presence.js';
import { retryWhileDatabaseUnavailable } from '../retry-while-unavailable.js';
import { ComparisonRun } from './comparison-run.js';
import { ComparisonFailure } from './version-run.js';

/** Makes up for missed notifications, and for workers that ended. */
const LOOK_MS = 15_000;
const MAX_FAILURE_CHARACTERS = 500;

/** Runs the comparisons that operators ask for, one at a time, while this worker serves. */
@Injectable()
export class VersionComparisons implements BeforeApplicationShutdown {
  private readonly logger = new Logger('comparisons');
  private readonly abort = new AbortController();
  private running: Promise<void> | undefined;
  private isAskedAgain = false;
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly repository: VersionComparisonsRepository,
    private readonly comparison: ComparisonRun,
    private readonly presence: ModelPresence,
    private readonly notifications: Notifications,
  ) {}

  begin(): void {
    this.unsubscribe = this.notifications.subscribe(COMPARISON_WANTED, () => this.look());
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    this.look();
  }

  /** Starts no further comparison, and gives back the current one. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.unsubscribe();
    this.abort.abort(new Error('this worker ends'));
    await this.running;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private look(): void {
    this.isAskedAgain = this.running !== undefined;
    this.running ??= this.runAll().finally(() => {
      this.running = undefined;
      if (this.isAskedAgain && !this.abort.signal.aborted) this.look();
    });
  }

  private async runAll(): Promise<void> {
    try {
      while (!this.abort.signal.aborted) {
        // None runs here, so one that this worker still holds would wait as long as the worker lives.
        await this.repository.disown(this.presence.workerId);
        const next = await this.repository.claim(this.presence.workerId);
        if (next === undefined) return;
        await this.run(next);
      }
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not look for comparisons of model versions');
    }
  }

  private async run(claimed: ClaimedComparison): Promise<void> {
    const { id, operation, a, b } = claimed;
    const { workerId } = this.presence;
    const { signal } = this.abort;
    const versions = `${operation}/${a} and ${operation}/${b}`;
    try {
      const { results, images } = await this.comparison.run(claimed, signal);
      await retryWhileDatabaseUnavailable(signal, () =>
        this.repository.complete(id, workerId, results, images),
      );
      this.logger.log({ versions }, 'compared two versions of a model');
    } catch (error) {
      if (signal.aborted) {
        await this.repository.giveBack(id, workerId);
        return;
      }
      const failure = sentenceOf(error).slice(0, MAX_FAILURE_CHARACTERS);
      this.logger.warn({ versions, failure }, 'could not compare two versions of a model');
      await retryWhileDatabaseUnavailable(signal, () => this.repository.fail(id, workerId, failure));
    }
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ComparisonFailure) return error.message;
  if (error instanceof AppError) return error.detail;
  return `The comparison failed: ${String(error)}`;
}
