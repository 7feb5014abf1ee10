import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { JobMetrics, type RunEnd } from '../infra/telemetry/job-metrics.js';
import type { JobEntity } from '../jobs/job.entity.js';
import { QueueWorkRepository, type WorkDone } from '../jobs/queue/queue-work.repository.js';
import type { JobRun } from './job-run.js';

const REPORT_EVERY_MS = 5_000;

type Job = Pick<JobEntity, 'operation' | 'level'>;

interface InHand {
  seconds: number;
}

/**
 * Measures the share of a worker's time that jobs take. Concurrent jobs share it equally, so the times add up
 * to the busy time.
 */
@Injectable()
export class ProcessingTimeMeter implements OnApplicationShutdown {
  private readonly logger = new Logger('work');
  private readonly inHand = new Set<InHand>();
  private done = new Map<string, WorkDone>();
  private sharedUntilMs = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: QueueWorkRepository,
    private readonly metrics: JobMetrics,
  ) {
    metrics.countBusyBeforeRead(() => this.share());
  }

  /** @param job that has been claimed for the first time */
  started({ operation, level, createdAt }: Pick<JobEntity, 'operation' | 'level' | 'createdAt'>): void {
    this.metrics.waited(operation, level, Math.max(0, Date.now() - createdAt.getTime()) / 1_000);
  }

  /** @returns call it when the job ends; only completed jobs are measured, each step for itself */
  begin(job: Job): (end: RunEnd, run: Pick<JobRun, 'steps' | 'stepMs'>) => void {
    this.share();
    const mine: InHand = { seconds: 0 };
    this.inHand.add(mine);
    this.metrics.start(job.operation, job.level);
    return (end, run) => {
      this.share();
      this.inHand.delete(mine);
      this.metrics.end(job.operation, job.level, end);
      if (end !== 'completed') return;
      for (const work of workOf(run, mine.seconds)) this.add(work);
    };
  }

  /** @param milliseconds of the parts of a job that completed */
  completed(operation: string, milliseconds: Readonly<Record<string, number>>): void {
    this.metrics.steps(operation, milliseconds);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.report();
  }

  private share(): void {
    const nowMs = performance.now();
    const seconds = (nowMs - this.sharedUntilMs) / 1_000;
    for (const one of this.inHand) one.seconds += seconds / this.inHand.size;
    if (this.inHand.size > 0) this.metrics.busy(seconds);
    this.sharedUntilMs = nowMs;
  }

  private add(work: WorkDone): void {
    const key = `${work.operation} ${work.level}`;
    const before = this.done.get(key);
    this.done.set(key, {
      ...work,
      pixels: work.pixels + (before?.pixels ?? 0),
      seconds: work.seconds + (before?.seconds ?? 0),
    });
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.report();
    }, REPORT_EVERY_MS);
  }

  /** A failed report is dropped; it is only an estimate. */
  private async report(): Promise<void> {
    const work = [...this.done.values()];
    this.done = new Map();
    if (work.length === 0) return;
    try {
      await this.repository.report(work);
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not report processing times');
    }
  }
}

/** The seconds of a job by step, in proportion to their inference times. */
function workOf({ steps, stepMs }: Pick<JobRun, 'steps' | 'stepMs'>, seconds: number): readonly WorkDone[] {
  const totalMs = stepMs.reduce((sum, ms) => sum + ms, 0);
  return steps.map(({ step: { operation, level, pixels } }, index) => {
    const share = totalMs === 0 ? 1 / steps.length : stepMs[index]! / totalMs;
    return { operation, level, pixels, seconds: seconds * share };
  });
}
