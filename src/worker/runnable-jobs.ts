import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { EnhancerPool } from '../inference/enhancer-pool.js';
import { Catalog } from '../models/repository/catalog.js';

/**
 * Which jobs this worker can run now: those of its catalog, less those whose inference server takes no requests.
 * They stay in the queue until it does.
 */
@Injectable()
export class RunnableJobs {
  private readonly logger = new Logger('inference');
  /** When this worker noticed, by stage; monotonic milliseconds. */
  private readonly awaySince = new Map<string, number>();
  private all: readonly string[];

  constructor(
    private readonly catalog: Catalog,
    private readonly devices: EnhancerPool,
    @Inject(CONFIG) private readonly config: Pick<Config, 'tritonMaxOutageMs'>,
  ) {
    this.all = catalog.kinds();
  }

  /** Kinds of jobs, as `workKind` says them. */
  kinds(): readonly string[] {
    const { away } = this.devices;
    this.tell(away);
    return this.without(this.all, away);
  }

  /** Kinds of jobs that this worker is expected to run: not those whose server has been away for too long. */
  expectedKinds(): readonly string[] {
    this.tell(this.devices.away);
    const now = performance.now();
    const lost = [...this.awaySince].filter(([, since]) => now - since >= this.config.tritonMaxOutageMs);
    return this.without(this.catalog.kinds(), new Map(lost));
  }

  /** From now on only jobs of these kinds. */
  limitTo(kinds: readonly string[]): void {
    this.all = kinds;
  }

  /** As `Catalog.routeFor`. */
  routeFor(...job: Parameters<Catalog['routeFor']>): ReturnType<Catalog['routeFor']> {
    return this.catalog.routeFor(...job);
  }

  private without(
    kinds: readonly string[],
    stages: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>,
  ): readonly string[] {
    if (stages.size === 0) return kinds;
    const closed = this.catalog
      .routes()
      .filter(({ analyse, render }) => stages.has(render.id) || (analyse !== null && stages.has(analyse.id)))
      .map(({ operation, level }) => `${operation}/${level}/`);
    return kinds.filter((kind) => !closed.some((start) => kind.startsWith(start)));
  }

  /** Once for each stage that goes away or comes back. */
  private tell(away: ReadonlyMap<string, string>): void {
    for (const [stage, reason] of away) {
      if (this.awaySince.has(stage)) continue;
      this.awaySince.set(stage, performance.now());
      this.logger.warn({ stage, reason }, 'an inference server takes no requests; its jobs wait');
    }
    for (const stage of this.awaySince.keys()) {
      if (away.has(stage)) continue;
      this.awaySince.delete(stage);
      this.logger.log({ stage }, 'the inference server takes requests again');
    }
  }
}
