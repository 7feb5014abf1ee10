import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreateJob, DryRun, Job, JobOrder } from 'image-enhancement-client';
import { client as api, request } from '../client.js';
import { inParallel } from '../../lib/async/in-parallel.js';
import { isGone } from '../problem.js';
import { removeItems } from '../remove-items.js';
import type { SessionJob } from '../schema.js';
import { JOBS_KEY } from './jobs.js';
import { tellOwnChange } from './jobs-stream.js';

const LISTS_KEY = [...JOBS_KEY, 'list'];
const oneKey = (id: string) => [...JOBS_KEY, 'one', id];

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

/**
 * Lists follow through the stream: canceling a job would otherwise request all loaded pages again, and last as long.
 */
export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelJob,
    onSuccess: (job, id) =>
      client.setQueryData<Job>(oneKey(id), (before) => before && Object.assign({}, before, job)),
    onSettled: (_job, _error, id) => {
      void client.invalidateQueries({ queryKey: oneKey(id) });
      tellOwnChange();
    },
  });
}

interface RunAgain {
  readonly id: string;
  /** The same for every attempt, so that only one job is created. */
  readonly idempotencyKey: string;
}

/** Runs the same source, operation, and settings again. */
export function useRunAgain() {
  return useMutation({
    mutationFn: ({ id, idempotencyKey }: RunAgain) =>
      request<SessionJob>({ method: 'POST', path: `/ai/enhance/${id}/run-again`, idempotencyKey }),
    onSuccess: tellOwnChange,
  });
}

/** Maximum concurrent deletions. */
const DELETIONS_AT_ONCE = 4;

/**
 * Deletes jobs with their results. Deleted jobs disappear from the lists even if another one could not be deleted.
 * @param onDeleted also called if the component is gone by then, with the number of jobs
 */
export function useDeleteJobs(onDeleted: (count: number) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const deleted = new Set<string>();
      try {
        await inParallel(ids, DELETIONS_AT_ONCE, async (id) => {
          await deleteJob(id);
          deleted.add(id);
        });
      } finally {
        removeItems(client, LISTS_KEY, deleted);
        tellOwnChange();
      }
    },
    onSuccess: (_nothing, ids) => onDeleted(ids.length),
  });
}

/**
 * @param onDeleted also called if the component is gone by then: what shows a job may notice first that it is deleted
 */
export function useDeleteJob(onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteJob,
    onSuccess: (_nothing, id) => {
      removeItems(client, LISTS_KEY, new Set([id]));
      onDeleted();
      client.removeQueries({ queryKey: oneKey(id) });
      tellOwnChange();
    },
  });
}

/** A job that is gone already counts as deleted: the response to an earlier attempt may have been lost. */
async function deleteJob(id: string): Promise<void> {
  try {
    await api().jobs.delete(id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
