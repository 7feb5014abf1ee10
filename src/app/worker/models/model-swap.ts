import type { LoggerService } from '@nestjs/common';
import { fingerprint } from '../../../catalog/built-in-versions.js';
import type { Catalog, Refusal } from '../../../catalog/catalog.js';
import type { ModelVersion } from '../../../catalog/model-version.js';
import { refusalOf } from '../../../catalog/read-version.js';
import type { Notifications } from '../../../infra/database/notifications.js';
import { SPECIFIED_OPERATIONS } from '../../../kernel/operations.js';
import type { ModelPresence } from '../../../serving/model-presence.js';
import { MODELS_RELOAD } from '../../../serving/models-reload.js';
import { FolderWatch } from './folder-watch.js';
import type { ModelVerdicts } from './model-verdicts.js';
import type { VersionTrial } from './version-trial.js';
import { servedBy, servingCatalog } from './serving-catalog.js';

export interface ModelSwapOptions {
  readonly modelsDir: string;
  readonly pollMs: number;
  /** What this process serves. */
  readonly loaded: Catalog;
  readonly verdicts: ModelVerdicts;
  readonly tryVersion: VersionTrial;
  /** Another process should serve from now on: what it would serve is sound and has been tried. */
  readonly onSwap: (wanted: Catalog) => void;
  readonly logger: LoggerService;
}

/** Notices new, changed and removed model versions and says when a worker with others should take over. */
export class ModelSwap {
  private readonly abort = new AbortController();
  private readonly watch: FolderWatch;
  private readonly told = new Set<string>();
  private unsubscribe: () => void = () => undefined;
  private looking: Promise<void> = Promise.resolve();
  private asked: { readonly served: string; readonly wanted: Catalog } | undefined;
  /** Why what was asked for has not come about. */
  private objections: readonly Refusal[] = [];
  private refusals: readonly Refusal[];

  constructor(
    private readonly options: ModelSwapOptions,
    private readonly presence: ModelPresence,
  ) {
    this.watch = new FolderWatch(options.modelsDir, options.pollMs, () => this.lookSoon());
    this.refusals = options.loaded.refusals;
    for (const { message } of options.loaded.refusals) this.told.add(message);
  }

  /** Looks at once, since something may have come while this process started; then whenever something changes. */
  async begin(notifications: Notifications): Promise<void> {
    await this.watch.begin();
    this.unsubscribe = notifications.subscribe(MODELS_RELOAD, (payload) => {
      if (payload !== null) this.lookSoon(true);
    });
    if (this.options.pollMs > 0) this.lookSoon();
  }

  /** Nobody waits for a look that is under way: it reads what it reads, and has nothing to say any more. */
  end(): void {
    this.abort.abort(new Error('the worker ends'));
    this.watch.close();
    this.unsubscribe();
  }

  /** The worker that was to take over did not: what it was asked for is refused until something changes. */
  async stay(why: string): Promise<void> {
    const { asked } = this;
    if (asked === undefined) return;
    const running = new Set(this.options.loaded.loaded().map(named));
    this.objections = asked.wanted
      .loaded()
      .filter((version) => !running.has(named(version)))
      .map(({ manifest, version }) =>
        refusalOf(
          manifest.operation,
          String(version),
          `a worker with it did not take over: ${why.replace(/\.$/, '')}; "npm run models -- reload" tries again`,
        ),
      );
    this.options.logger.warn({ why }, 'no other worker has taken over; this one goes on', 'models');
    await this.presence.refuse([...this.refusals, ...this.objections]);
  }

  /** @param again also what was refused before */
  private lookSoon(again = false): void {
    const before = this.looking;
    this.looking = (async () => {
      await before;
      await this.lookNow(again);
    })();
  }

  private async lookNow(again: boolean): Promise<void> {
    if (this.abort.signal.aborted) return;
    try {
      if (again) {
        this.asked = undefined;
        await this.options.verdicts.forgetRefusals();
      }
      await this.look();
    } catch (error) {
      if (this.abort.signal.aborted) return;
      this.options.logger.warn({ error: String(error) }, 'models could not be looked at', 'models');
    }
  }

  private async look(): Promise<void> {
    const { modelsDir, verdicts, loaded, tryVersion, logger, onSwap } = this.options;
    const running = new Set(loaded.loaded().map(named));
    const wanted = await servingCatalog({
      modelsDir,
      verdicts,
      also: [],
      isTrialNeeded: (version) => !running.has(named(version)),
      tryVersion: (version) => {
        logger.log({ version: named(version) }, 'trying a new model version', 'models');
        return tryVersion(version, this.abort.signal);
      },
    });
    for (const refusal of wanted.refusals) {
      if (this.told.has(refusal.message)) continue;
      this.told.add(refusal.message);
      logger.warn(refusal, 'model version refused', 'models');
    }
    if (this.abort.signal.aborted) return;
    const served = servedBy(wanted);
    if (served !== this.asked?.served) this.objections = [];
    this.refusals = wanted.refusals;
    await this.presence.refuse([...wanted.refusals, ...this.objections]);
    this.noticeChanged(wanted);
    const lost = SPECIFIED_OPERATIONS.filter((name) => isLost(name, loaded, wanted));
    if (lost.length > 0) {
      logger.warn(
        { lost },
        'models of operations that must be served are gone; this worker goes on',
        'models',
      );
      return;
    }
    if (served === servedBy(loaded)) this.asked = undefined;
    else if (served !== this.asked?.served) {
      this.asked = { served, wanted };
      onSwap(wanted);
    }
  }

  /** Taken over like a new version; but a job tells number and files of its model alone, not the manifest's numbers. */
  private noticeChanged(wanted: Catalog): void {
    const { loaded, logger } = this.options;
    const running = loaded.loaded();
    for (const version of wanted.loaded()) {
      const before = running.find((one) => numbered(one) === numbered(version));
      if (before === undefined || named(before) === named(version) || this.told.has(named(version))) continue;
      this.told.add(named(version));
      logger.warn(
        { version: numbered(version) },
        'a model version that serves was changed in place; give a changed model a number of its own, so that results can be told apart',
        'models',
      );
    }
  }
}

function isLost(operation: string, before: Catalog, after: Catalog): boolean {
  return before.route(operation, 'medium') !== undefined && after.route(operation, 'medium') === undefined;
}

/** With its fingerprint: one whose manifest was changed is another. */
function named(version: ModelVersion): string {
  return `${numbered(version)} (${fingerprint(version.manifest).slice(0, 12)})`;
}

function numbered({ manifest, version }: ModelVersion): string {
  return `${manifest.operation}/${version}`;
}
