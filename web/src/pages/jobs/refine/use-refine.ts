import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { request } from '../../../api/client.js';
import { tellOwnChange } from '../../../api/jobs/jobs-stream.js';
import { isGone } from '../../../api/problem.js';
import type { SessionJob } from '../../../api/schema.js';
import { uploadPhoto } from '../../../api/uploads/upload.js';
import { useOrderKey } from '../../../lib/use-order-key.js';
import { type MaskContent, maskFile } from './mask-drawing.js';

/**
 * Uploads a mask, and runs a job again with it. The same marks are uploaded once and create only one job, no matter how
 * often they are sent, because a lost response may belong to a job that was created. Closing the dialog ends the upload,
 * and then no job is created.
 */
export function useRefine(jobId: string) {
  const { keyOf, forget } = useOrderKey();
  const uploaded = useRef<{ readonly strokes: MaskContent['strokes']; readonly url: string } | null>(null);
  const current = useRef<AbortController | null>(null);
  const [isUploading, setIsUploading] = useState(false);
  useEffect(() => () => current.current?.abort(), []);
  const store = async (content: MaskContent): Promise<string> => {
    const { signal } = (current.current = new AbortController());
    setIsUploading(true);
    try {
      const url = await uploadMask(content, signal);
      signal.throwIfAborted();
      return url;
    } finally {
      setIsUploading(false);
    }
  };
  const refine = useMutation({
    mutationFn: async (content: MaskContent) => {
      if (uploaded.current?.strokes !== content.strokes)
        uploaded.current = { strokes: content.strokes, url: await store(content) };
      const order = { mask: { sourceUrl: uploaded.current.url } };
      return request<SessionJob>({
        method: 'POST',
        path: `/ai/enhance/${jobId}/run-again`,
        body: order,
        idempotencyKey: keyOf(order),
      });
    },
    onError: (error) => {
      if (!isGone(error)) return;
      uploaded.current = null;
      forget();
    },
    onSuccess: () => {
      forget();
      tellOwnChange();
    },
  });
  return { refine, isUploading };
}

async function uploadMask(content: MaskContent, signal: AbortSignal): Promise<string> {
  const { url } = await uploadPhoto(await maskFile(content), { onProgress: () => undefined, signal });
  return url;
}
