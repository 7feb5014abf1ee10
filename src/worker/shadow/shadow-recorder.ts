import { Injectable, Logger } from '@nestjs/common';
import { JobMetrics } from '../../infra/telemetry/job-metrics.js';
import { ModelPresence } from '../../models/serving/model-presence.js';
import {
  type ShadowComparison,
  ShadowFiguresRepository,
  type ShadowRef,
} from '../../models/serving/shadow/shadow-figures.repository.js';

/** Dropped runs are written together: a busy worker drops most of them. */
const REPORT_EVERY_MS = 5_000;
const MAX_FAILURE_CHARACTERS = 300;

/** Records the outcome of shadow runs. Never throws: without the database, a run is not counted. */
@Injectable()
export class ShadowRecorder {
  private readonly logger = new Logger('shadow');
  private dropped = new Map<string, { readonly ref: ShadowRef; readonly jobs: number }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: ShadowFiguresRepository,
    private readonly metrics: JobMetrics,
    private readonly presence: ModelPresence,
  ) {}

  /** @returns false when the run must not begin, see `ShadowFiguresRepository.begin` */
  async begin(ref: ShadowRef): Promise<boolean> {
    return (await this.written(() => this.repository.begin(this.presence.workerId, ref))) === true;
  }

  async compared(ref: ShadowRef, found: ShadowComparison): Promise<void> {
    this.metrics.shadowEnded(ref.operation, 'compared');
    await this.written(() => this.repository.compared(this.presence.workerId, ref, found));
  }

  async failed(ref: ShadowRef, why: string): Promise<void> {
    this.metrics.shadowEnded(ref.operation, 'failed');
    this.logger.warn({ version: `${ref.operation}/${ref.version}`, why }, 'a shadow run failed');
    const text = why.slice(0, MAX_FAILURE_CHARACTERS);
    await this.written(() => this.repository.failed(this.presence.workerId, ref, text));
  }

  /** A run cost this worker its device. It stays recorded as begun, so that the worker counts as lost once it ends. */
  lost(ref: ShadowRef, why: string): void {
    this.metrics.shadowEnded(ref.operation, 'failed');
    this.logger.warn({ version: `${ref.operation}/${ref.version}`, why }, 'a shadow run lost the device');
  }

  /** A run that was begun ended without a result. */
  async brokenOff(ref: ShadowRef): Promise<void> {
    this.drop(ref);
    await this.written(() => this.repository.end(this.presence.workerId));
  }

  drop(ref: ShadowRef): void {
    this.metrics.shadowEnded(ref.operation, 'dropped');
    const key = `${ref.operation} ${ref.since}`;
    this.dropped.set(key, { ref, jobs: (this.dropped.get(key)?.jobs ?? 0) + 1 });
    this.timer ??= setTimeout(() => void this.report(), REPORT_EVERY_MS).unref();
  }

  /** Writes the dropped runs now. */
  async report(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const all = [...this.dropped.values()];
    this.dropped = new Map();
    for (const { ref, jobs } of all) await this.written(() => this.repository.dropped(ref, jobs));
  }

  private async written<T>(write: () => Promise<T>): Promise<T | undefined> {
    try {
      return await write();
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not record a shadow run');
      return undefined;
    }
  }
}
