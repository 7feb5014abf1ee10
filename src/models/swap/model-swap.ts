import type { LoggerService } from '@nestjs/common';
import type { Catalog, Refusal } from '../repository/catalog.js';
import {
  type InterimVersion,
  loadCatalog,
  UNTRIED,
  type VersionCheck,
  type VersionCheckResult,
  versionsIn,
} from '../repository/load-catalog.js';
import type { ModelVersion } from '../repository/model-version.js';
import { refusalOf } from '../repository/read-version.js';
import type { Notifications } from '../../infra/database/notifications.js';
import type { ModelPresence } from '../serving/model-presence.js';
import { MODELS_RELOAD } from '../serving/models-reload.js';
import {
  canariesOf,
  namesOf,
  preferredVersions,
  shadowsOf,
  type VersionChoice,
} from '../repository/version-choice.js';
import { CHOICES_CHANGED } from '../serving/version-choices.repository.js';
import {
  changedVersions,
  lostOperations,
  nextCatalog,
  nextTrials,
  refusalsOfRemovedVersions,
  versionKey,
  versionName,
} from './exchange.js';
import { foundVersions } from './found-versions.js';
import { FolderWatch } from './folder-watch.js';
import type { ModelVerdicts } from './model-verdicts.js';
import { servedBy } from './serving-catalog.js';
import { unservedChoices } from './unserved-choices.js';
import type { VersionTrial } from './version-trial.js';
import { RETRY_PAUSE_MS, VersionTrials } from './version-trials.js';

export interface ModelSwapOptions {
  readonly modelsDir: string;
  readonly pollMs: number;
  /** The catalog that this process serves. */
  readonly loaded: Catalog;
  /** The choices of operators when this process started; `readChoices` returns the current ones. */
  readonly choices: readonly VersionChoice[];
  readonly readChoices: () => Promise<readonly VersionChoice[]>;
  /** Called with the current choices at each check, before anything is loaded. */
  readonly onChoices: (choices: readonly VersionChoice[]) => void;
  readonly verdicts: ModelVerdicts;
  readonly runTrial: VersionTrial;
  /**
   * Called when another process should take over. The versions that it would serve are valid and were tried.
   * `isWanted` tells whether that still holds.
   */
  readonly onSwap: (wanted: Catalog, isWanted: () => boolean) => void;
  readonly logger: LoggerService;
  /** Pause before a failed check or trial is repeated; default 15 s. */
  readonly retryPauseMs?: number;
  /** Called before a check that an operator requests, so that `modelsDir` matches the remote repository. */
  readonly updateModels?: (() => Promise<void>) | undefined;
}

/** Detects new, changed, and removed model versions, and requests a worker with the new models. */
export class ModelSwap {
  private readonly watch: FolderWatch;
  private readonly trials: VersionTrials;
  private readonly told = new Set<string>();
  private readonly ends: (() => void)[] = [];
  private looking: Promise<void> = Promise.resolve();
  private isEnded = false;
  /** The last requested takeover, and the state of the repository that caused it. */
  private asked: { readonly state: string; readonly wanted: Catalog } | undefined;
  /** Why the last request failed. */
  private objections: readonly Refusal[] = [];
  private refusals: readonly Refusal[];
  /** The choices that the last check took into account. */
  private obeyed: string;
  private unserved = '';
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: ModelSwapOptions,
    private readonly presence: ModelPresence,
  ) {
    this.watch = new FolderWatch(options.modelsDir, options.pollMs, () => this.lookSoon());
    const { verdicts, runTrial, logger, retryPauseMs: pauseMs = RETRY_PAUSE_MS } = options;
    const onVerdict = (): void => this.lookSoon();
    this.trials = new VersionTrials({ verdicts, runTrial, logger, pauseMs, onVerdict });
    this.obeyed = namesOf(options.choices).join();
    this.unserved = unservedChoices(options.loaded, preferredVersions(options.choices)).join(' ');
    this.refusals = options.loaded.refusals;
    for (const { message } of options.loaded.refusals) this.told.add(message);
  }

  /** Checks at once, because something may have changed while this process started; then after every change. */
  async begin(notifications: Notifications): Promise<void> {
    await this.watch.begin();
    this.ends.push(
      notifications.subscribe(MODELS_RELOAD, (payload) => {
        if (payload !== null) this.lookSoon(true);
      }),
      notifications.subscribe(CHOICES_CHANGED, (payload) => {
        if (payload !== null) this.lookSoon();
      }),
    );
    const { pollMs, loaded } = this.options;
    if (pollMs > 0 || loaded.excluded.untried.length + loaded.refusals.length > 0) this.lookSoon();
  }

  /**
   * Checks at once if operators have chosen versions that the last check did not know, after a missed notification.
   * @param chosen see `namesOf`
   */
  obey(chosen: readonly string[]): void {
    if (chosen.join() !== this.obeyed) this.lookSoon();
  }

  /** Stops. Does not wait for a check in progress, whose result is ignored. */
  end(): void {
    this.isEnded = true;
    clearTimeout(this.retry);
    this.trials.end();
    this.watch.close();
    for (const end of this.ends.splice(0)) end();
  }

  /** Handles a successor that did not take over: its models are refused until something changes. */
  async stay(why: string): Promise<void> {
    const { asked } = this;
    if (asked === undefined) return;
    const { loaded } = this.options;
    const chosenOf = (catalog: Catalog) => [...catalog.serving(), ...catalog.canaries, ...catalog.shadows];
    const serving = new Set(chosenOf(loaded).map(versionKey));
    this.objections = chosenOf(asked.wanted)
      .filter((version) => !serving.has(versionKey(version)))
      .map(({ manifest, version }) =>
        refusalOf(
          manifest.operation,
          String(version),
          `a worker with it did not take over: ${why.replace(/\.$/, '')}; "npm run models -- reload" tries again`,
        ),
      );
    this.options.logger.warn({ why }, 'no other worker took over; continuing', 'models');
    await this.presence.refuse([...this.refusals, ...this.objections]);
  }

  /** @param again also checks refused versions */
  private lookSoon(again = false): void {
    const before = this.looking;
    this.looking = (async () => {
      await before;
      await this.lookNow(again);
    })();
  }

  private async lookNow(again: boolean): Promise<void> {
    if (this.isEnded) return;
    try {
      if (again) {
        this.asked = undefined;
        this.trials.hurry();
        await this.options.verdicts.forgetRefusals();
        await this.options.updateModels?.();
      }
      await this.look();
    } catch (error) {
      if (this.isEnded) return;
      const { logger, retryPauseMs = RETRY_PAUSE_MS } = this.options;
      logger.warn({ error: String(error) }, 'could not scan the model repository', 'models');
      clearTimeout(this.retry);
      this.retry = setTimeout(() => this.lookSoon(again), retryPauseMs).unref();
    }
  }

  private async look(): Promise<void> {
    const { modelsDir, loaded, verdicts, readChoices, onChoices, onSwap } = this.options;
    const running = new Set(loaded.inMemory().map(versionKey));
    await verdicts.refresh();
    const choices = await readChoices();
    onChoices(choices);
    const preferred = preferredVersions(choices);
    const judge: VersionCheck = (version) => this.judge(version, running);
    const interim: InterimVersion = (operation) => loaded.servingVersion(operation)?.version;
    const found = await loadCatalog(modelsDir, judge, preferred, interim);
    const available = await versionsIn(modelsDir);
    const canaries = await foundVersions(modelsDir, canariesOf(choices), available, judge);
    const shadows = await foundVersions(modelsDir, shadowsOf(choices), available, judge);
    if (this.isEnded) return;
    const wanted = nextCatalog(loaded, found, preferred).withCanaries(canaries).withShadows(shadows);
    this.trials.want([...nextTrials(wanted), ...verdicts.unfit(wanted.refusals)]);
    this.obeyed = namesOf(choices).join();
    this.warnOfRefusals(wanted);
    this.warnOfUnserved(unservedChoices(found, preferred).join(' '));
    this.refusals = [...wanted.refusals, ...refusalsOfRemovedVersions(loaded, found, preferred)];
    // Another takeover may succeed after any change of the repository.
    const state = servedBy(wanted) + JSON.stringify(this.refusals);
    if (state !== this.asked?.state) this.objections = [];
    await this.presence.refuse([...this.refusals, ...this.objections], available);
    this.noticeChanged(wanted);
    if (this.isAnyLost(wanted)) {
      // A worker that waits for its turn to exit would lose what it still has in memory.
      this.asked = undefined;
      return;
    }
    if (servedBy(wanted) === servedBy(loaded)) this.asked = undefined;
    else if (state !== this.asked?.state) {
      this.asked = { state, wanted };
      onSwap(wanted, () => this.asked !== undefined);
    }
  }

  private judge(version: ModelVersion, running: ReadonlySet<string>): VersionCheckResult {
    const { verdicts } = this.options;
    if (!running.has(versionKey(version)) && !verdicts.has(version)) return UNTRIED;
    return verdicts.reason(version) ?? null;
  }

  private warnOfRefusals({ refusals }: Catalog): void {
    for (const refusal of refusals) {
      if (this.told.has(refusal.message)) continue;
      this.told.add(refusal.message);
      this.options.logger.warn(refusal, 'model version refused', 'models');
    }
  }

  private warnOfUnserved(sentences: string): void {
    if (sentences !== this.unserved && sentences !== '') this.options.logger.warn(sentences, 'models');
    this.unserved = sentences;
  }

  private isAnyLost(wanted: Catalog): boolean {
    const { loaded, logger } = this.options;
    const lost = lostOperations(loaded, wanted);
    if (lost.length === 0) return false;
    logger.warn({ lost }, 'models of required operations are missing; continuing from memory', 'models');
    return true;
  }

  /**
   * Logs versions whose manifest changed. They are taken over like a new version, but jobs record only the version
   * number and files of their model, not the settings in the manifest.
   */
  private noticeChanged(wanted: Catalog): void {
    const { loaded, logger } = this.options;
    const changed = changedVersions(loaded, wanted);
    for (const version of changed.filter((one) => !this.told.has(versionKey(one)))) {
      this.told.add(versionKey(version));
      logger.warn(
        { version: versionName(version) },
        'a serving model version was changed in place; give a changed model a new version number so that results can be distinguished',
        'models',
      );
    }
  }
}
