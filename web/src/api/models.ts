import { useQuery } from '@tanstack/react-query';
import { request } from './http.js';
import type { JobModel } from './job.js';

/** What serves an operation, and how it did lately. */
export interface ServedModel {
  readonly operation: string;
  readonly description: string;
  readonly levels: readonly string[];
  readonly model: JobModel;
  readonly engine: string;
  readonly licence: string;
  readonly trainedOn: string | null;
  /** Markdown of the model's own page; empty: it has none. */
  readonly card: string;
  readonly recent: {
    readonly completed: number;
    readonly failed: number;
    readonly device: string | null;
    readonly inferenceMsMedian: number | null;
    readonly lastAt: string | null;
  };
  /** Newest first. */
  readonly lastBatches: readonly ModelBatch[];
}

/** One run of a graph of late, of anybody's pictures. */
export interface ModelBatch {
  readonly at: string;
  readonly version: number;
  readonly stage: string;
  /** Tiles or whole images that travelled together … */
  readonly items: number;
  /** … in a batch of so many places. */
  readonly size: number;
  readonly runMs: number;
  readonly device: string;
}

/** Workers tell of their batches about as often. */
const INTERVAL_MS = 15_000;

export function useModels() {
  return useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => request<{ data: readonly ServedModel[] }>('/models', { signal }),
    refetchInterval: INTERVAL_MS,
  });
}
