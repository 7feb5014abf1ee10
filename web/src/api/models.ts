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
  readonly lastBatches: readonly BatchSummary[];
}

/** The last batches of one stage on one kind of device, of everybody's pictures together. */
export interface BatchSummary {
  readonly stage: string;
  readonly version: number;
  readonly device: string;
  readonly batches: number;
  /** Places that were taken, of all there were; 0–1. */
  readonly filled: number;
  readonly runMsMedian: number;
}

/** Workers tell of their batches about as often. */
const INTERVAL_MS = 15_000;

export function useModels() {
  return useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => request<{ data: readonly ServedModel[] }>('/models', { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}
