import { Injectable, Logger } from '@nestjs/common';
import { FairQueueRepository, type WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import { TEST_KIND } from '../../jobs/test-mode/test-job.js';
import { JobRequeuer } from '../job-requeuer.js';
import type { RunStep } from '../run-step.js';
import { RunnableJobs } from './runnable-jobs.js';

/** Test jobs have a lane of their own, so that they are drawn at once and delay no live job. */
export type Lane = 'live' | 'test';

const TEST_KINDS = [TEST_KIND];

/** How many jobs without a model are passed over in one look. */
const MAX_WITHOUT_MODEL = 20;
/** Delay before a job without a model is tried again. */
const WITHOUT_MODEL_MS = 5_000;

/** A waiting job, and how to run it. */
export interface Candidate {
  readonly job: WaitingJob;
  readonly steps: readonly RunStep[];
}

/** The waiting jobs that this worker can run, in fair-share order. */
@Injectable()
export class JobCandidates {
  private readonly logger = new Logger('jobs');
  /** When each job without a model is tried again. */
  private readonly withoutModel = new Map<string, number>();

  constructor(
    private readonly queue: FairQueueRepository,
    private readonly runnable: RunnableJobs,
    private readonly requeuer: JobRequeuer,
  ) {}

  /**
   * The job whose turn it is. A model may be missing although the kind of the job was announced, because a server went
   * away since. Such jobs are skipped for a while, so that they do not hide the next ones.
   * @param excluded ids of jobs that this worker is claiming, or leaves to others
   */
  async first(lane: Lane, excluded: readonly string[]): Promise<Candidate | undefined> {
    for (let passed = 0; passed < MAX_WITHOUT_MODEL; passed += 1) {
      const kinds = lane === 'test' ? TEST_KINDS : this.runnable.kinds();
      const [job] = await this.queue.waiting(kinds, 1, {
        excluded: [...this.requeuer.excluded(), ...this.passedOver(), ...excluded],
        including: this.runnable.sole,
      });
      if (job === undefined) return undefined;
      const steps = this.runnable.stepsFor(job);
      if (steps !== undefined) return { job, steps };
      this.withoutModel.set(job.id, performance.now() + WITHOUT_MODEL_MS);
      this.logger.warn(
        { jobId: job.id },
        'no model is available here for a job that is next; it is passed over',
      );
    }
    return undefined;
  }

  private passedOver(): Iterable<string> {
    const now = performance.now();
    for (const [id, untilMs] of this.withoutModel) if (untilMs <= now) this.withoutModel.delete(id);
    return this.withoutModel.keys();
  }

  /** From now on only jobs of these kinds. */
  limitTo(kinds: readonly string[]): void {
    this.runnable.limitTo(kinds);
  }
}
