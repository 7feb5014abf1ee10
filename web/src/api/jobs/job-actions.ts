import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreateJob, DryRun, Job, JobOrder } from 'image-enhancement-client';
import { client as api, request } from '../client.js';
import { inParallel } from '../../lib/async/in-parallel.js';
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

/** What a job would cost, take and give. Nothing is created. @throws as `createJob` */
export function previewJob(order: CreateJob, signal: AbortSignal): Promise<DryRun> {
  return api().jobs.dryRun(order as JobOrder, { signal });
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

/** How many deletions are under way at once. */
const DELETIONS_AT_ONCE = 4;

/** Deletes jobs with their results. Those that are gone leave the lists even when another could not be deleted. */
export function useDeleteJobs() {
  const renew = useJobsRenewal();
  return useMutation({
    mutationFn: (ids: readonly string[]) => inParallel(ids, DELETIONS_AT_ONCE, (id) => api().jobs.delete(id)),
    onSettled: renew,
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
