import { Injectable, Logger } from '@nestjs/common';
import { EnhancerPool } from '../inference/enhancer-pool.js';
import { Catalog } from '../models/repository/catalog.js';

/**
 * Which jobs this worker can run now: those of its catalog, less those whose inference server takes no requests.
 * They stay in the queue until it does.
 */
@Injectable()
export class RunnableJobs {
  private readonly logger = new Logger('inference');
  private readonly told = new Set<string>();
  private all: readonly string[];

  constructor(
    private readonly catalog: Catalog,
    private readonly devices: EnhancerPool,
  ) {
    this.all = catalog.kinds();
  }

  /** Kinds of jobs, as `workKind` says them. */
  kinds(): readonly string[] {
    const { away } = this.devices;
    this.tell(away);
    if (away.size === 0) return this.all;
    const closed = this.catalog
      .routes()
      .filter(({ analyse, render }) => away.has(render.id) || (analyse !== null && away.has(analyse.id)))
      .map(({ operation, level }) => `${operation}/${level}/`);
    return this.all.filter((kind) => !closed.some((start) => kind.startsWith(start)));
  }

  /** From now on only jobs of these kinds. */
  limitTo(kinds: readonly string[]): void {
    this.all = kinds;
  }

  /** As `Catalog.routeFor`. */
  routeFor(...job: Parameters<Catalog['routeFor']>): ReturnType<Catalog['routeFor']> {
    return this.catalog.routeFor(...job);
  }

  /** Once for each stage that goes away or comes back. */
  private tell(away: ReadonlyMap<string, string>): void {
    for (const [stage, reason] of away) {
      if (this.told.has(stage)) continue;
      this.told.add(stage);
      this.logger.warn({ stage, reason }, 'an inference server takes no requests; its jobs wait');
    }
    for (const stage of this.told) {
      if (away.has(stage)) continue;
      this.told.delete(stage);
      this.logger.log({ stage }, 'the inference server takes requests again');
    }
  }
}
