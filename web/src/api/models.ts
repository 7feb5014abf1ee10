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
}

export function useModels() {
  return useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => request<{ data: readonly ServedModel[] }>('/models', { signal }),
  });
}
