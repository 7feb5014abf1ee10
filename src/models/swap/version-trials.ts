import type { LoggerService } from '@nestjs/common';
import type { ModelVersion } from '../repository/model-version.js';
import { versionKey, versionName } from './exchange.js';
import { isFaultOfModel } from './model-fault.js';
import type { ModelVerdicts } from './model-verdicts.js';
import type { VersionTrial } from './version-trial.js';

export interface VersionTrialsOptions {
  readonly verdicts: ModelVerdicts;
  readonly runTrial: VersionTrial;
  /** Called after each verdict. */
  readonly onVerdict: () => void;
  readonly logger: LoggerService;
  /** Pause before a version is retried whose trial came to no verdict; default 15 s. */
  readonly pauseMs?: number;
}

/** Pause before a failed trial or a failed check of the repository is repeated. */
export const RETRY_PAUSE_MS = 15_000;
/** The pause doubles up to this factor while a model on a server stays unfit, because each trial runs it. */
const MAX_PAUSE_FACTOR = 16;

interface RunningTrial {
  readonly key: string;
  readonly abort: AbortController;
}

/** Tries new versions in the background, one per operation at a time, so that no operation waits for another. */
export class VersionTrials {
  private readonly running = new Map<string, RunningTrial>();
  /** Trials that wait for an inference server, or for their next attempt after an error, by key. */
  private readonly paused = new Map<string, NodeJS.Timeout>();
  /** How often the server's model was unfit, by key. */
  private readonly unfit = new Map<string, number>();

  constructor(private readonly options: VersionTrialsOptions) {}

  /**
   * Starts the trials that are not running yet, and ends the trials of versions that are no longer in the list.
   * @param versions of each operation, the first that is not paused is tried
   */
  want(versions: readonly ModelVersion[]): void {
    const keys = new Set(versions.map(trialKey));
    for (const [operation, trial] of this.running) if (!keys.has(trial.key)) this.stop(operation, trial);
    for (const version of versions) {
      const isBusy = this.running.has(version.manifest.operation) || this.paused.has(trialKey(version));
      if (!isBusy) void this.try(version);
    }
  }

  /** Ends all pauses, because an operator wants everything to be tried again. */
  hurry(): void {
    for (const timer of this.paused.values()) clearTimeout(timer);
    this.paused.clear();
    this.unfit.clear();
  }

  /** Ends all trials without storing verdicts. */
  end(): void {
    this.hurry();
    for (const [operation, trial] of this.running) this.stop(operation, trial);
  }

  private stop(operation: string, { abort }: RunningTrial): void {
    this.running.delete(operation);
    abort.abort(new Error('the version is not wanted any more'));
  }

  private async try(version: ModelVersion): Promise<void> {
    const { verdicts, runTrial, onVerdict, logger } = this.options;
    const { operation } = version.manifest;
    const trial = { key: trialKey(version), abort: new AbortController() };
    this.running.set(operation, trial);
    logger.log({ version: versionKey(version) }, 'trying a new model version', 'models');
    try {
      const fault = await runTrial(version, trial.abort.signal);
      if (fault?.remote !== undefined) {
        const fields = { version: versionName(version), reason: fault.reason };
        logger.warn(fields, 'a model version waits for its inference server', 'models');
        this.tryLater(trial.key, isFaultOfModel(fault));
      }
      if (fault?.remote === 'away' || fault?.remote === 'absent') return;
      await verdicts.note(version, fault);
    } catch (error) {
      if (trial.abort.signal.aborted) return;
      const fields = { version: versionName(version), error: String(error) };
      logger.warn(fields, 'could not try a model version', 'models');
      this.tryLater(trial.key);
      return;
    } finally {
      if (this.running.get(operation) === trial) this.running.delete(operation);
    }
    if (!trial.abort.signal.aborted) onVerdict();
  }

  /** Lets the next check of the repository after a pause try the version again. */
  private tryLater(key: string, isUnfit = false): void {
    const { onVerdict, pauseMs = RETRY_PAUSE_MS } = this.options;
    const times = isUnfit ? (this.unfit.get(key) ?? 0) : 0;
    if (isUnfit) this.unfit.set(key, times + 1);
    const again = (): void => {
      this.paused.delete(key);
      onVerdict();
    };
    const factor = Math.min(2 ** times, MAX_PAUSE_FACTOR);
    this.paused.set(key, setTimeout(again, factor * pauseMs).unref());
  }
}

/** Everything on which a verdict depends. */
function trialKey(version: ModelVersion): string {
  return JSON.stringify([versionKey(version), version.goldenSha256]);
}
