import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreateJob, Job, JobOrder } from 'image-enhancement-client';
import { client as api, request } from '../client.js';
import { JOBS_KEY } from './jobs.js';
import type { SessionJob } from '../schema.js';

/**
 * @param idempotencyKey the same for every attempt at one order, which then makes one job
 * @throws ApiError, ConnectionError
 */
export function createJob(order: CreateJob, idempotencyKey: string): Promise<Job> {
  // The page offers the operations that the service lists, which may include others than the built-in ones.
  return api().jobs.create(order as JobOrder, { idempotencyKey });
}

/** @throws ConflictError `job_already_finished` when it was too late */
export function cancelJob(id: string): Promise<Job> {
  return api().jobs.cancel(id);
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
      request<SessionJob>({ method: 'POST', path: `/ai/enhance/${id}/run-again`, idempotencyKey }),
    onSuccess: renew,
  });
}

export function useDeleteJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api().jobs.delete(id),
    onSuccess: (_nothing, id) => {
      client.removeQueries({ queryKey: [...JOBS_KEY, 'one', id] });
      return client.invalidateQueries({ queryKey: [...JOBS_KEY, 'list'] });
    },
  });
}
