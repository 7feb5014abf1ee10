import { Injectable } from '@nestjs/common';
import { type Batch, KEPT_BATCHES } from '../serving/last-batches.js';
import type { BatchSummaryDto } from './model.dto.js';
import { ModelWorkersRepository, type WorkerBatches } from '../serving/model-workers.repository.js';

interface PlacedBatch extends Batch {
  readonly device: string;
}

/** Recent batches of all workers. */
@Injectable()
export class RecentBatches {
  constructor(private readonly workers: ModelWorkersRepository) {}

  /** @returns the stages of an operation in order of their names, the newest version first */
  async read(): Promise<(operation: string) => readonly BatchSummaryDto[]> {
    const workers = await this.workers.batches();
    return (operation) => {
      const placed = workers.flatMap((worker) => batchesOf(worker, operation));
      return grouped(placed).map(summaryOf).toSorted(inOrder);
    };
  }
}

function batchesOf({ device, lastBatches }: WorkerBatches, operation: string): readonly PlacedBatch[] {
  return (lastBatches[operation] ?? []).map((batch) => Object.assign({}, batch, { device }));
}

function grouped(batches: readonly PlacedBatch[]): readonly (readonly PlacedBatch[])[] {
  const groups = new Map<string, PlacedBatch[]>();
  for (const batch of batches) {
    const key = `${batch.stage} ${batch.version} ${batch.device}`;
    groups.set(key, [...(groups.get(key) ?? []), batch]);
  }
  return [...groups.values()];
}

function summaryOf(batches: readonly PlacedBatch[]): BatchSummaryDto {
  const last = batches.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, KEPT_BATCHES);
  const { stage, version, device } = last[0]!;
  const taken = sum(last.map(({ items }) => items)) / sum(last.map(({ size }) => size));
  const runs = last.map(({ runMs }) => runMs).toSorted((a, b) => a - b);
  const runMsMedian = runs[Math.floor(runs.length / 2)]!;
  return { stage, version, device, batches: last.length, filled: Math.round(taken * 10) / 10, runMsMedian };
}

function inOrder(a: BatchSummaryDto, b: BatchSummaryDto): number {
  return a.stage.localeCompare(b.stage) || b.version - a.version || a.device.localeCompare(b.device);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
