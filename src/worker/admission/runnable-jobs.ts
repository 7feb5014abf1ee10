import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { EnhancerPool } from '../../inference/enhancer-pool.js';
import type { JobEntity } from '../../jobs/job.entity.js';
import { stepsOf } from '../../jobs/job-step.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import { Catalog } from '../../models/repository/catalog.js';
import type { VersionChoice } from '../../models/repository/version-choice.js';
import type { RunStep } from '../run-step.js';
import { testRoute } from '../test-route.js';
import { withStrength } from './with-strength.js';

/**
 * Which jobs this worker can run now: those of its catalog. Versions whose inference server accepts no requests are left
 * out. Jobs that no other loaded version may run stay in the queue until it does.
 */
@Injectable()
export class RunnableJobs {
  private readonly logger = new Logger('inference');
  /** When this worker noticed (monotonic milliseconds), and the last reason, by stage. */
  private readonly outages = new Map<string, { readonly sinceMs: number; readonly reason: string }>();
  private readonly all: readonly string[];
  private soleKinds: readonly string[] | null = null;
  private choices: ReadonlyMap<string, VersionChoice> = new Map();

  constructor(
    private readonly catalog: Catalog,
    private readonly devices: EnhancerPool,
    @Inject(CONFIG) private readonly config: Pick<Config, 'tritonMaxOutageMs'>,
  ) {
    this.all = catalog.kinds();
  }

  /** Null, or only jobs that need one of these kinds. */
  get sole(): readonly string[] | null {
    return this.soleKinds;
  }

  /** Kinds of steps, as `workKind` formats them. */
  kinds(): readonly string[] {
    const { away } = this.devices;
    this.tell(away);
    return away.size === 0 ? this.all : this.catalog.kinds(away);
  }

  /** Kinds of jobs that this worker is expected to run: not those whose server has been away for too long. */
  expectedKinds(): readonly string[] {
    this.tell(this.devices.away);
    const now = performance.now();
    const lost = [...this.outages].filter(
      ([, { sinceMs }]) => now - sinceMs >= this.config.tritonMaxOutageMs,
    );
    return lost.length === 0 ? this.all : this.catalog.kinds(new Map(lost));
  }

  /** From now on only jobs that need one of these kinds. */
  limitTo(kinds: readonly string[]): void {
    this.soleKinds = kinds;
  }

  /** What operators chose, for the jobs that are taken from now on. */
  choose(choices: readonly VersionChoice[]): void {
    this.choices = new Map(choices.map((choice) => [choice.operation, choice]));
  }

  /** How to run each step of a job as promised; undefined when a model for one of them is missing here or away. */
  stepsFor(
    job: Pick<JobEntity, 'accountId' | 'operation' | 'level' | 'promise' | 'steps' | 'sourcePixels'>,
  ): readonly RunStep[] | undefined {
    const steps = stepsOf(job);
    const { away } = this.devices;
    if (!livemodeOf(job.accountId)) return steps.map((step) => ({ step, route: testRoute(step) }));
    const runnable = steps.flatMap((step) => {
      const { operation, level, promise } = step;
      const choice = this.choices.get(operation);
      const route = this.catalog.routeFor(operation, level, promise, choice, away);
      return route === undefined ? [] : [{ step, route: withStrength(route, step) }];
    });
    return runnable.length === steps.length ? runnable : undefined;
  }

  /** Logs each stage that becomes unavailable, or for another reason than before, or available again. */
  private tell(away: ReadonlyMap<string, string>): void {
    for (const [stage, reason] of away) {
      const known = this.outages.get(stage);
      if (known?.reason === reason) continue;
      this.outages.set(stage, { sinceMs: known?.sinceMs ?? performance.now(), reason });
      this.logger.warn({ stage, reason }, 'an inference server is not accepting requests; its jobs wait');
    }
    for (const stage of this.outages.keys()) {
      if (away.has(stage)) continue;
      this.outages.delete(stage);
      this.logger.log({ stage }, 'the inference server is accepting requests again');
    }
  }
}
