import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreateJob, DryRun, Job, JobOrder } from 'image-enhancement-client';
import { client as api, request } from '../client.js';
import { inParallel } from '../../lib/async/in-parallel.js';
import { JOBS_KEY } from './jobs.js';
import type { SessionJob } from '../schema.js';

/**
 * @param idempotencyKey the same for every attempt at one order, so that only one job is created
 * @throws ApiError, ConnectionError
 */
export function createJob(order: CreateJob, idempotencyKey: string): Promise<Job> {
  // The service may list custom operations in addition to the built-in ones.
  return api().jobs.create(order as JobOrder, { idempotencyKey });
}

/** The cost, duration, and output of a job. Creates nothing. @throws the errors of `createJob` */
export function previewJob(order: CreateJob, signal: AbortSignal): Promise<DryRun> {
  return api().jobs.dryRun(order as JobOrder, { signal });
}

/** @throws ConflictError `job_already_finished` when the job had already ended */
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
  /** The same for every attempt, so that only one job is created. */
  readonly idempotencyKey: string;
}

/** Runs the same source, operation, and settings again. */
export function useRunAgain() {
  const renew = useJobsRenewal();
  return useMutation({
    mutationFn: ({ id, idempotencyKey }: RunAgain) =>
      request<SessionJob>({ method: 'POST', path: `/ai/enhance/${id}/run-again`, idempotencyKey }),
    onSuccess: renew,
  });
}

/** Maximum concurrent deletions. */
const DELETIONS_AT_ONCE = 4;

/** Deletes jobs with their results. Deleted jobs disappear from the lists even if another one could not be deleted. */
export function useDeleteJobs() {
  const renew = useJobsRenewal();
  return useMutation({
    mutationFn: (ids: readonly string[]) => inParallel(ids, DELETIONS_AT_ONCE, (id) => api().jobs.delete(id)),
    onSettled: renew,
  });
}

/**
 * @param onDeleted also called if the component is gone by then: what shows a job may notice first that it is deleted
 */
export function useDeleteJob(onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api().jobs.delete(id),
    onSuccess: async (_nothing, id) => {
      await client.invalidateQueries({ queryKey: [...JOBS_KEY, 'list'] });
      onDeleted();
      client.removeQueries({ queryKey: [...JOBS_KEY, 'one', id] });
    },
  });
}
