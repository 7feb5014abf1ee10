import type { OperationVersion } from '../repository/model-promise.js';

/** A recent run of a graph. Does not reveal whose images were in it. */
export interface Batch {
  /** When the run ended, ISO 8601. */
  readonly at: string;
  readonly version: number;
  /** The stage's name in the manifest. */
  readonly stage: string;
  /** The number of tiles or whole images in the batch. */
  readonly items: number;
  /** The batch size. */
  readonly size: number;
  readonly runMs: number;
}

/** Batches by operation, newest first. */
export type BatchesByOperation = Readonly<Record<string, readonly Batch[]>>;

/** A run of a graph as reported by the device; `stageId` is `<operation>/<version>/<stage>`. */
interface Run {
  readonly stageId: string;
  readonly items: number;
  readonly size: number;
  readonly runMs: number;
  readonly end: 'done' | 'failed' | 'out_of_memory';
}

/** Number of batches that are kept for each operation. */
export const KEPT_BATCHES = 10;

/** The most recent runs of this worker, so that people can see batches without a metrics system. */
export class LastBatches {
  private readonly batches = new Map<string, Batch[]>();
  private hidden: readonly OperationVersion[] = [];

  /** Omits versions that customers must not know about. Called before any job runs. */
  hide(versions: readonly OperationVersion[]): void {
    this.hidden = versions;
    for (const { operation } of versions) this.batches.delete(operation);
  }

  /** Cheap, because it is called for every run. */
  onRun({ stageId, items, size, runMs, end }: Run): void {
    if (end !== 'done') return;
    const [operation = '', version, ...stage] = stageId.split('/');
    if (this.hidden.some((one) => one.operation === operation && `${one.version}` === version)) return;
    const kept = this.batches.get(operation) ?? [];
    const at = new Date().toISOString();
    kept.unshift({
      at,
      version: Number(version),
      stage: stage.join('/'),
      items,
      size,
      runMs: Math.round(runMs * 10) / 10,
    });
    kept.length = Math.min(kept.length, KEPT_BATCHES);
    this.batches.set(operation, kept);
  }

  all(): BatchesByOperation {
    return Object.fromEntries(this.batches);
  }
}
