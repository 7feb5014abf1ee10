import type { StageRef } from '../models/manifest/model-route.js';
import type { DeviceItem, DeviceOutcome } from './device/device-port.js';
import { FairScheduler, type Reservation } from './fair-scheduler.js';
import type { InferenceObserver } from './inference-observer.js';
import { StageError } from './stage-error.js';
import type { NamedTensors } from './tensor.js';

/**
 * Runs one batch; outcomes are in the order of the items. Rejects when the device has failed.
 * @param signals of the items' jobs, in their order
 */
export type RunBatch = (
  stageId: string,
  items: readonly DeviceItem[],
  signals: readonly (AbortSignal | undefined)[],
) => Promise<readonly DeviceOutcome[]>;

interface Waiting {
  readonly stage: Pick<StageRef, 'id' | 'maxBatch' | 'maxDelayMs'>;
  /** Items with the same key may share a batch. */
  readonly key: string;
  readonly item: DeviceItem;
  readonly signal: AbortSignal | undefined;
  readonly sinceMs: number;
  readonly origin: unknown;
  readonly dueMs: () => number;
  readonly share: number;
  readonly resolve: (tensors: NamedTensors) => void;
  readonly reject: (error: unknown) => void;
}

export interface SubmitOptions {
  /** Marks the items of one job, for `withdraw`. */
  readonly signal?: AbortSignal | undefined;
  /** The job's reservation; without one, an item is due at once. */
  readonly reservation?: Reservation;
  /** How much of the stage's usual time the item takes. Default 1. */
  readonly share?: number;
}

/** One batch runs and one waits in the thread's message queue, so that the thread is never idle. */
const BATCHES_A_STREAM = 2;

export interface BatcherOptions {
  /** Upper bound for every stage's `maxBatch`. */
  readonly largestBatch?: number;
  /** The number of batches that the device runs in parallel; may change. */
  readonly streams?: () => number;
  /** Called with the waiting time of each item, and for each batch. */
  readonly observer?: Pick<InferenceObserver, 'onWait' | 'onSent' | 'origin' | 'onBatch'> | undefined;
}

/**
 * Batches items of different jobs, per stage and channel count, earliest deadline first. An idle device starts at once
 * with the waiting items. While the device is busy, items collect: the next batch starts when it is full, when its
 * oldest item has waited `maxDelayMs`, or when the device becomes idle. (Triton's dynamic batcher has the same two
 * settings.)
 */
export class Batcher {
  private readonly waiting: Waiting[] = [];
  private readonly scheduler = new FairScheduler();
  private inFlight = 0;
  private endedMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private closed: Error | null = null;
  private readonly largestBatch: number;
  private readonly streams: () => number;
  private readonly observer: BatcherOptions['observer'];

  constructor(
    private readonly runBatch: RunBatch,
    { largestBatch = Infinity, streams = () => 1, observer }: BatcherOptions = {},
  ) {
    this.largestBatch = largestBatch;
    this.streams = streams;
    this.observer = observer;
  }

  /** Maximum batch size of a stage. */
  batchSize({ maxBatch }: Pick<StageRef, 'maxBatch'>): number {
    return Math.min(maxBatch, this.largestBatch);
  }

  /** The number of items that keeps the device busy: those of every running batch and of one waiting batch. */
  itemsAtOnce(stage: Pick<StageRef, 'maxBatch'>): number {
    return (this.maxInFlight + 1) * this.batchSize(stage);
  }

  /**
   * Reserves a share of the device for a job; release it with `end`.
   * @param owner the account; see `FairScheduler`
   */
  begin({ id }: Pick<StageRef, 'id'>, items: number, owner: string): Reservation {
    return this.scheduler.begin(id, items, owner);
  }

  end(reservation: Reservation): void {
    this.scheduler.end(reservation);
  }

  /**
   * @returns the item's outputs
   * @throws StageError when the item fails
   */
  submit(stage: Waiting['stage'], item: DeviceItem, options: SubmitOptions = {}): Promise<NamedTensors> {
    const { signal, reservation, share = 1 } = options;
    const { nowMs } = this.scheduler;
    const dueMs = reservation === undefined ? () => nowMs : () => this.scheduler.dueMs(reservation);
    const sinceMs = performance.now();
    if (this.closed !== null) return Promise.reject(this.closed);
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const key = `${stage.id} ${item.tensors['image']?.dims.join('x') ?? ''}`;
    const origin = this.observer?.origin?.();
    return new Promise((resolve, reject) => {
      this.waiting.push({ stage, key, item, signal, sinceMs, origin, dueMs, share, resolve, reject });
      this.dispatch();
    });
  }

  /** Rejects the waiting items of an aborted signal with its reason. Running batches finish. */
  withdraw(signal: AbortSignal): void {
    const withdrawn = this.waiting.filter((waiting) => waiting.signal === signal);
    this.remove(withdrawn);
    for (const { reject } of withdrawn) reject(signal.reason);
  }

  /** Rejects waiting and future items; running batches finish. */
  close(reason: Error): void {
    this.closed = reason;
    clearTimeout(this.timer);
    for (const { reject } of this.waiting.splice(0)) reject(reason);
  }

  private remove(members: readonly Waiting[]): void {
    for (const member of members) this.waiting.splice(this.waiting.indexOf(member), 1);
  }

  private get maxInFlight(): number {
    return BATCHES_A_STREAM * this.streams();
  }

  private dispatch(): void {
    clearTimeout(this.timer);
    while (this.waiting.length > 0 && this.inFlight < this.maxInFlight) {
      const batch = this.nextBatch();
      if (batch === null) return;
      this.remove(batch);
      this.inFlight++;
      void this.run(batch);
    }
  }

  /** The batch that may start now, or null after setting a timer for the next one. */
  private nextBatch(): readonly Waiting[] | null {
    const nowMs = performance.now();
    let pauseMs = Infinity;
    for (const group of this.groups()) {
      const { stage } = group[0]!;
      const maxBatch = this.batchSize(stage);
      const oldestMs = Math.min(...group.map(({ sinceMs }) => sinceMs));
      const leftMs = oldestMs + stage.maxDelayMs - nowMs;
      const isIdle = this.inFlight < this.streams();
      if (isIdle || group.length >= maxBatch || leftMs <= 0) return group.slice(0, maxBatch);
      pauseMs = Math.min(pauseMs, leftMs);
    }
    this.timer = setTimeout(() => this.dispatch(), Math.ceil(pauseMs));
    return null;
  }

  /** Waiting items, grouped by batch key; groups and items in deadline order. */
  private groups(): Iterable<readonly Waiting[]> {
    const groups = new Map<string, Waiting[]>();
    for (const waiting of this.waiting.toSorted((a, b) => a.dueMs() - b.dueMs())) {
      const group = groups.get(waiting.key);
      if (group === undefined) groups.set(waiting.key, [waiting]);
      else group.push(waiting);
    }
    return groups.values();
  }

  private tell(batch: readonly Waiting[], startMs: number): void {
    const origins = batch.flatMap(({ origin }) => (origin === undefined ? [] : [origin]));
    if (origins.length === 0) return;
    const stageId = batch[0]!.stage.id;
    this.observer?.onBatch?.({ stageId, items: batch.length, startMs, endMs: Date.now(), origins });
  }

  private async run(batch: readonly Waiting[]): Promise<void> {
    const stageId = batch[0]!.stage.id;
    const nowMs = performance.now();
    const startMs = Date.now();
    for (const { sinceMs } of batch) this.observer?.onWait(stageId, nowMs - sinceMs);
    const returned = this.observer?.onSent?.();
    try {
      const outcomes = await this.runBatch(
        stageId,
        batch.map(({ item }) => item),
        batch.map(({ signal }) => signal),
      );
      this.tell(batch, startMs);
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]!;
        if (outcome.ok) resolve(outcome.tensors);
        else reject(new StageError(stageId, outcome.message, outcome.isOutOfMemory));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    returned?.();
    // A batch that waited for another one started when that one finished.
    const endedMs = performance.now();
    const items = batch.reduce((sum, { share }) => sum + share, 0);
    this.scheduler.ran(stageId, items, endedMs - Math.max(nowMs, this.endedMs));
    this.endedMs = endedMs;
    this.inFlight--;
    this.dispatch();
  }
}
