import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from './http.js';
import type { Job } from './job.js';
import { type JobItem, JOBS_KEY } from './jobs.js';

export interface NewJob {
  readonly sourceUrl: string;
  readonly operation: string;
  readonly level: string;
  readonly output?: { readonly format?: string; readonly background?: string };
}

/**
 * @param idempotencyKey the same for every attempt at one order, which then makes one job
 * @throws ApiError
 */
export function createJob(body: NewJob, idempotencyKey: string): Promise<Job> {
  return request('/jobs', { method: 'POST', body, idempotencyKey });
}

/** @throws ApiError `job_already_finished` when it was too late */
export function cancelJob(id: string): Promise<Job> {
  return request(`/jobs/${id}/cancel`, { method: 'POST' });
}

function useJobsRenewal() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: JOBS_KEY });
}

export function useCancelJob() {
  const renew = useJobsRenewal();
  return useMutation({ mutationFn: cancelJob, onSettled: renew });
}

interface RunAgain {
  readonly id: string;
  /** The same for every attempt, which then makes one job. */
  readonly idempotencyKey: string;
}

/** The same source, operation and settings once more. */
export function useRunAgain() {
  const renew = useJobsRenewal();
  return useMutation({
    mutationFn: ({ id, idempotencyKey }: RunAgain) =>
      request<JobItem>(`/jobs/${id}/run-again`, { method: 'POST', idempotencyKey }),
    onSuccess: renew,
  });
}

export function useDeleteJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<undefined>(`/jobs/${id}`, { method: 'DELETE' }),
    onSuccess: (_nothing, id) => {
      client.removeQueries({ queryKey: [...JOBS_KEY, 'one', id] });
      return client.invalidateQueries({ queryKey: [...JOBS_KEY, 'list'] });
    },
  });
}
