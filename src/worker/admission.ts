import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ModelRoute } from '../catalog/model-route.js';
import { FairQueueRepository } from '../jobs/fair-queue.repository.js';
import { type Claim, JobLeaseRepository, type Lease } from '../jobs/job-lease.repository.js';
import type { JobWithSource } from '../jobs/job-presenter.js';
import { MemoryBudget } from './memory-budget.js';
import { memoryNeed } from './memory-need.js';
import { RouteChoice } from './route-choice.js';
import { Tools } from './tools.js';

/** A job in hand, with room in the memory for it. */
export interface Admitted {
  readonly job: JobWithSource;
  readonly lease: Lease;
  /** Undefined when no model can run it any more. */
  readonly route: ModelRoute | undefined;
  /** Gives the room back; call it once, however the job ends. */
  readonly leave: () => void;
}

interface Candidate {
  readonly job: JobWithSource;
  readonly route: ModelRoute | undefined;
}

/** Jobs looked at together: the first is nearly always the one. */
const PAGE = 4;
/** A job that was left to another worker is not looked at again for this long. */
const LEFT_ALONE_MS = 2_000;

/**
 * Decides which job a free hand takes: the one whose turn it is, as soon as there is memory for it. One decision at a
 * time and made anew after every wait, so that a job that comes meanwhile is behind no more than the one decided.
 */
@Injectable()
export class Admission {
  private readonly budget: MemoryBudget;
  private readonly leftAloneUntilMs = new Map<string, number>();
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly queue: FairQueueRepository,
    private readonly leases: JobLeaseRepository,
    private readonly routes: RouteChoice,
    private readonly tools: Tools,
  ) {
    this.budget = new MemoryBudget(tools.config.workerMemoryBytes);
  }

  /** @returns undefined when nothing waits that this worker can run, or it is to take nothing more */
  next(): Promise<Admitted | undefined> {
    const decision = this.last.then(() => this.decide());
    this.last = decision.catch(() => undefined);
    return decision;
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

  /** The first in turn that is not for another worker. */
  private async candidate(): Promise<Candidate | undefined> {
    this.forgetOldMarks();
    let page: readonly JobWithSource[] = [];
    do {
      page = await this.queue.waiting(PAGE, page.at(-1));
      for (const job of page) {
        if (this.leftAloneUntilMs.has(job.id)) continue;
        const route = await this.routes.forJob(job);
        if (route !== null) return { job, route };
        this.leftAloneUntilMs.set(job.id, performance.now() + LEFT_ALONE_MS);
      }
    } while (page.length === PAGE);
    return undefined;
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

  private forgetOldMarks(): void {
    for (const [id, untilMs] of this.leftAloneUntilMs)
      if (untilMs < performance.now()) this.leftAloneUntilMs.delete(id);
  }
}
