import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../../api/client.js';
import { JOBS_KEY } from '../../../api/jobs/jobs.js';
import type { SessionJob } from '../../../api/schema.js';
import { uploadPhoto } from '../../../api/uploads/upload.js';
import { newIdempotencyKey } from '../../../lib/idempotency-key.js';

/** Uploads a mask, and runs a job again with it. */
export function useRefine(jobId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (mask: File) => {
      const { signal } = new AbortController();
      const { url: sourceUrl } = await uploadPhoto(mask, { onProgress: () => undefined, signal });
      return request<SessionJob>({
        method: 'POST',
        path: `/ai/enhance/${jobId}/run-again`,
        body: { mask: { sourceUrl } },
        idempotencyKey: newIdempotencyKey(),
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: JOBS_KEY }),
  });
}
