import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DeviceLostError } from '../../inference/device-fault.js';
import { isMachineFault } from '../../infra/storage/storage-fault.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import { Catalog } from '../../models/repository/catalog.js';
import type { VersionChoice } from '../../models/repository/version-choice.js';
import { isInShare } from '../../models/serving/canary-share.js';
import type { ShadowRef } from '../../models/serving/shadow/shadow-figures.repository.js';
import { comparisonDiskNeed } from '../admission/disk-need.js';
import { JobAdmission } from '../admission/job-admission.js';
import { comparisonMemoryNeed } from '../admission/memory-need.js';
import { withStrength } from '../admission/with-strength.js';
import type { JobRun } from '../job-run.js';
import { JobRunner } from '../job-runner.js';
import { type ComparedRoutes, ModelComparison, ShadowFailure } from './model-comparison.js';
import { ShadowRecorder } from './shadow-recorder.js';

/** Jobs that wait for a pause; without their pixels. */
const MAX_WAITING = 8;
const MAX_WAIT_MS = 60_000;
const LOOK_MS = 1_000;

interface ShadowedJob extends ComparedRoutes {
  readonly job: JobRun['job'];
  readonly ref: ShadowRef;
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
}

/**
 * Runs finished jobs once more on the shadow of their operation, while no job runs or waits here. A job that comes
 * aborts the run. Runs that are lost when the process dies are not repeated: these are samples.
 */
@Injectable()
export class ShadowRuns implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('shadow');
  private waiting: readonly ShadowedJob[] = [];
  private choices: readonly VersionChoice[] = [];
  private running: Promise<void> | undefined;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly catalog: Catalog,
    private readonly runner: JobRunner,
    private readonly admission: JobAdmission,
    private readonly comparison: ModelComparison,
    private readonly recorder: ShadowRecorder,
  ) {}

  onModuleInit(): void {
    this.runner.onCompleted((run) => this.offer(run));
  }

  /** What operators chose, for the jobs that end from now on. */
  choose(choices: readonly VersionChoice[]): void {
    this.choices = choices;
  }

  /** Starts no further run, and aborts the current one. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    for (const { ref } of this.waiting) this.recorder.drop(ref);
    this.waiting = [];
    this.admission.breakOff();
    await this.running;
    await this.recorder.report();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private offer(run: JobRun): void {
    const shadowed = this.isStopped ? undefined : this.shadowedJob(run);
    if (shadowed === undefined) return;
    // A job that lost its worker before may be what kills workers.
    if (this.waiting.length === MAX_WAITING || run.job.attempts > 1) this.recorder.drop(shadowed.ref);
    else this.waiting = [...this.waiting, shadowed];
    this.look();
  }

  /**
   * Undefined for a job that is not compared: one of test mode, one whose result is deleted once delivered, one that
   * ran on another version than the serving one, or one outside the share. Of several operations, the first is
   * compared.
   */
  private shadowedJob({ job, steps }: JobRun): ShadowedJob | undefined {
    const { step, route } = steps[0]!;
    const { operation, level } = step;
    const choice = this.choices.find((one) => one.operation === operation);
    const shadow = this.catalog.shadowRoute(operation, level);
    if (shadow === undefined || choice?.shadow == null || choice.serving === null) return undefined;
    const { version, percent, since } = choice.shadow;
    const isCompared = livemodeOf(job.accountId) && job.retention !== 'deliver';
    const isOfBoth = shadow.model.version === version && route.model.version === choice.serving;
    if (!isCompared || !isOfBoth || !isInShare({ operation, version }, job.id, percent)) return undefined;
    return {
      job,
      serving: route,
      shadow: withStrength(shadow, step),
      ref: { operation, version, serving: choice.serving, since },
      sinceMs: performance.now(),
    };
  }

  private look(): void {
    clearTimeout(this.timer);
    this.dropLate();
    const next = this.waiting[0];
    if (next === undefined || this.isStopped) return;
    this.timer = setTimeout(() => this.look(), LOOK_MS).unref();
    this.running ??= this.runNext(next).finally(() => (this.running = undefined));
  }

  /** Continues with the next one at once; after a refusal, a while later. */
  private async runNext(next: ShadowedJob): Promise<void> {
    try {
      if (await this.tryRun(next)) setImmediate(() => this.look());
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'a shadow run broke off');
    }
  }

  private dropLate(): void {
    const isLate = ({ sinceMs }: ShadowedJob) => performance.now() - sinceMs > MAX_WAIT_MS;
    for (const { ref } of this.waiting.filter(isLate)) this.recorder.drop(ref);
    this.waiting = this.waiting.filter((one) => !isLate(one));
  }

  /** @returns false when a job runs or waits here, or space is short; the shadow run then waits, too */
  private async tryRun(next: ShadowedJob): Promise<boolean> {
    // Otherwise, the serving version would render the photo only to wait for the server of the other one.
    if (this.comparison.isAway(next)) {
      this.waiting = this.waiting.filter((one) => one !== next);
      this.recorder.drop(next.ref);
      return true;
    }
    const abort = new AbortController();
    const need = {
      memoryBytes: comparisonMemoryNeed(next.job, next.serving),
      disk: comparisonDiskNeed(next.job, next.serving),
    };
    const release = await this.admission.spare(need, () => abort.abort(new Error('a job has priority')));
    if (release === undefined) return false;
    try {
      const isWaiting = this.waiting.includes(next);
      this.waiting = this.waiting.filter((one) => one !== next);
      if (isWaiting) await this.run(next, abort.signal);
      return true;
    } finally {
      release();
    }
  }

  private async run(shadowed: ShadowedJob, signal: AbortSignal): Promise<void> {
    const { ref } = shadowed;
    if (!(await this.recorder.begin(ref))) {
      this.recorder.drop(ref);
      return;
    }
    try {
      signal.throwIfAborted();
      const found = await this.comparison.run(shadowed, signal);
      if (found === undefined) await this.recorder.brokenOff(ref);
      else await this.recorder.compared(ref, found);
    } catch (error) {
      if (!(error instanceof ShadowFailure)) await this.breakOff(ref, signal, error);
      // This worker ends. The row of the run stays, because the version may be the cause.
      else if (error.cause instanceof DeviceLostError) this.recorder.lost(ref, error.message);
      else if (isMachineFault(error.cause)) await this.breakOff(ref, signal, error);
      else await this.recorder.failed(ref, error.message);
    }
  }

  private async breakOff(ref: ShadowRef, signal: AbortSignal, error: unknown): Promise<void> {
    if (!signal.aborted) this.logger.warn({ error: String(error) }, 'a shadow run broke off');
    await this.recorder.brokenOff(ref);
  }
}
