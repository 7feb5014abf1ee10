import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { ModelRoute } from '../catalog/model-route.js';
import { FairQueueRepository, type WaitingJob } from '../jobs/fair-queue.repository.js';
import { type Claim, JobLeaseRepository, type Lease } from '../jobs/job-lease.repository.js';
import type { JobWithSource } from '../jobs/job-presenter.js';
import { MemoryBudget } from './memory-budget.js';
import { memoryNeed } from './memory-need.js';
import { Tools } from './tools.js';

/** A job in hand, with room in the memory for it. */
export interface Admitted {
  readonly job: JobWithSource;
  readonly lease: Lease;
  readonly route: ModelRoute;
  /** Gives the room back; call it once, however the job ends. */
  readonly leave: () => void;
}

interface Candidate {
  readonly job: WaitingJob;
  readonly route: ModelRoute;
}

/**
 * Decides which job a free hand takes: of those that a model here can run as it was promised the one whose turn it is,
 * as soon as there is memory for it. One decision at a time and made anew after every wait, so that a job that comes
 * meanwhile is behind no more than the one decided. What no model here can run is left to other workers.
 */
@Injectable()
export class Admission {
  private readonly budget: MemoryBudget;
  private readonly kinds: readonly string[];
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly queue: FairQueueRepository,
    private readonly leases: JobLeaseRepository,
    private readonly catalog: Catalog,
    private readonly tools: Tools,
  ) {
    this.kinds = catalog.kinds();
    this.budget = new MemoryBudget(tools.config.workerMemoryBytes);
  }

  /** @returns undefined when nothing waits that this worker can run, or it is to take nothing more */
  next(): Promise<Admitted | undefined> {
    const decision = this.last.then(() => this.decide());
    this.last = decision.catch(() => undefined);
    return decision;
  }

  /** Whether anything waits that this worker can run. */
  async isWorkWaiting(): Promise<boolean> {
    return !this.closed && (await this.candidate()) !== undefined;
  }

  /** From now on nothing more is admitted. */
  close(): void {
    this.closed = true;
  }

  private async decide(): Promise<Admitted | undefined> {
    while (!this.closed) {
      const candidate = await this.candidate();
      if (candidate === undefined) return undefined;
      const leave = this.budget.take(memoryNeed(candidate.job, candidate.route));
      if (leave === undefined) {
        await this.budget.freed();
        continue;
      }
      const admitted = await this.claim(candidate, leave);
      if (admitted !== undefined) return admitted;
    }
    return undefined;
  }

  private async candidate(): Promise<Candidate | undefined> {
    const [job] = await this.queue.waiting(this.kinds, 1);
    const route = job && this.catalog.routeFor(job.operation, job.level, job.promise);
    if (job === undefined || route === undefined) return undefined;
    return { job, route };
  }

  /** Undefined, and the room given back, when another worker was faster. */
  private async claim({ job, route }: Candidate, leave: () => void): Promise<Admitted | undefined> {
    const lease = { jobId: job.id, token: randomUUID() };
    let claim: Claim | undefined;
    try {
      claim = await this.leases.claim(lease, this.tools.config.jobLeaseMs);
    } finally {
      if (claim === undefined) leave();
    }
    if (claim === undefined) return undefined;
    return { job: { ...job, attempts: claim.attempt, claims: claim.number }, lease, route, leave };
  }
}
