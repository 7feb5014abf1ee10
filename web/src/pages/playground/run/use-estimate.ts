import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { CreateJob, DryRun } from 'image-enhancement-client';
import { previewJob } from '../../../api/jobs/job-actions.js';
import type { RecipeOrder } from '../recipe/recipe.js';

const TYPING_MS = 300;
/** The queue moves while a user thinks. */
const RENEW_MS = 15_000;

export interface Estimate {
  readonly answer: DryRun | null;
  /** The error that creating the job would cause. */
  readonly error: Error | null;
}

/**
 * The cost, duration, and output of a job, without creating it.
 * @param sourceUrl null while the photo is not stored: then there is no estimate
 * @param isOn false while a job runs, because the result would change constantly
 */
export function useEstimate(sourceUrl: string | null, order: RecipeOrder, isOn: boolean): Estimate {
  const [asked] = useDebouncedValue(JSON.stringify({ sourceUrl, ...order }), TYPING_MS);
  const estimate = useQuery({
    queryKey: ['estimate', asked],
    queryFn: ({ signal }) => previewJob(JSON.parse(asked) as CreateJob, signal),
    enabled: isOn && sourceUrl !== null && asked === JSON.stringify({ sourceUrl, ...order }),
    // Not shown again after a run or another setting, because the queue has changed since.
    gcTime: 0,
    refetchInterval: RENEW_MS,
    retry: false,
  });
  if (!isOn || sourceUrl === null) return { answer: null, error: null };
  return { answer: estimate.data ?? null, error: estimate.error };
}
