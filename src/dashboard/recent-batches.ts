import { Injectable } from '@nestjs/common';
import { type Batch, KEPT_BATCHES } from '../serving/last-batches.js';
import { ModelWorkersRepository, type WorkerBatches } from '../serving/model-workers.repository.js';

/** A batch and where it ran. */
export interface PlacedBatch extends Batch {
  readonly device: string;
}

/** What ran last in all workers together. */
@Injectable()
export class RecentBatches {
  constructor(private readonly workers: ModelWorkersRepository) {}

  /** @returns of an operation the batches of all its versions, newest first, as many as one worker keeps */
  async read(): Promise<(operation: string) => readonly PlacedBatch[]> {
    const workers = await this.workers.batches();
    return (operation) =>
      workers
        .flatMap((worker) => placed(worker, operation))
        .toSorted((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, KEPT_BATCHES);
  }
}

function placed({ device, lastBatches }: WorkerBatches, operation: string): readonly PlacedBatch[] {
  return (lastBatches[operation] ?? []).map(({ at, version, stage, items, size, runMs }) => ({
    at,
    device,
    version,
    stage,
    items,
    size,
    runMs,
  }));
}
