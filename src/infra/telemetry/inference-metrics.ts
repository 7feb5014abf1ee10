import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

/** One run of a graph: `items` of the batch's `size` were used. */
interface Run {
  readonly stageId: string;
  readonly items: number;
  readonly size: number;
  readonly runMs: number;
  readonly end: 'done' | 'failed' | 'out_of_memory';
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Batch utilization, queueing time of items, and device time, by model stage. */
export class InferenceMetrics {
  private readonly batchItems: Histogram<'stage'>;
  private readonly places: Counter<'stage'>;
  private readonly runSeconds: Histogram<'stage'>;
  private readonly waitSeconds: Histogram<'stage'>;
  private readonly runs: Counter<'stage' | 'end'>;
  private readonly device: Gauge<'device'>;
  private readonly warm: Gauge;
  /** When each batch on the device was sent; the oldest is first. */
  private readonly sentMs = new Map<symbol, number>();

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.batchItems = new Histogram({
      name: 'ies_batch_items',
      help: 'Items (tiles or whole images) per run of a graph.',
      labelNames: ['stage'],
      buckets: [1, 2, 4, 8, 16, 32],
      registers,
    });
    this.places = new Counter({
      name: 'ies_batch_places_total',
      help: 'Capacity of all batches; ies_batch_items_sum of it was used, the rest was padding.',
      labelNames: ['stage'],
      registers,
    });
    this.runSeconds = new Histogram({
      name: 'ies_stage_run_seconds',
      help: 'Time of one run of a graph on the device.',
      labelNames: ['stage'],
      buckets: SECONDS,
      registers,
    });
    this.waitSeconds = new Histogram({
      name: 'ies_stage_wait_seconds',
      help: 'Time an item waited to be batched, or for its turn, before it was sent to the device.',
      labelNames: ['stage'],
      buckets: SECONDS,
      registers,
    });
    this.runs = new Counter({
      name: 'ies_stage_runs_total',
      help: 'Runs of a graph by outcome; those that failed or ran out of memory were repeated in smaller parts.',
      labelNames: ['stage', 'end'],
      registers,
    });
    this.warm = new Gauge({
      name: 'ies_worker_warm',
      help: '1 once every stage has run; before that a job may pay for a first run.',
      registers,
    });
    const oldest: Gauge = new Gauge({
      name: 'ies_oldest_batch_seconds',
      help: 'Time since the oldest batch on the device was sent; 0 when no batch is on the device.',
      registers,
      collect: () => oldest.set(this.oldestSeconds),
    });
    this.device = new Gauge({
      name: 'ies_device_info',
      help: '1 for the execution provider in use, with its device.',
      labelNames: ['device'],
      registers,
    });
  }

  onRun({ stageId: stage, items, size, runMs, end }: Run): void {
    this.runs.inc({ stage, end });
    if (end !== 'done') return;
    this.batchItems.observe({ stage }, items);
    this.places.inc({ stage }, size);
    this.runSeconds.observe({ stage }, runMs / 1_000);
  }

  onWait(stage: string, waitMs: number): void {
    this.waitSeconds.observe({ stage }, waitMs / 1_000);
  }

  /** @returns called when the device returns the batch */
  onSent(): () => void {
    const batch = Symbol('batch');
    this.sentMs.set(batch, performance.now());
    return () => this.sentMs.delete(batch);
  }

  isWarm(): void {
    this.warm.set(1);
  }

  /** @param device for example `cpu` or `cuda:0,cuda:1` */
  runsOn(device: string): void {
    this.device.set({ device }, 1);
  }

  private get oldestSeconds(): number {
    const [oldestMs] = this.sentMs.values();
    return oldestMs === undefined ? 0 : (performance.now() - oldestMs) / 1_000;
  }
}
