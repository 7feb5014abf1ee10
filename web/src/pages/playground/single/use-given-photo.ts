import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { fetchResult } from '../../../api/jobs/fetch-result.js';
import { readJob } from '../../../api/jobs/jobs.js';
import { problemOf } from '../../../api/problem.js';
import { readSource } from '../../../api/uploads/sources.js';
import { lastJob } from '../run/last-job.js';

export interface GivenPhotoOptions {
  readonly onStored: (sourceUrl: string, name: string | null) => void;
  readonly onFile: (file: File) => void;
  readonly onFault: (fault: string) => void;
}

/**
 * Opens the photo in the URL: `?photo=src_…` for a stored one, `?result=job_…` for the result of a job, which becomes a
 * separate photo.
 */
export function useGivenPhoto(options: GivenPhotoOptions) {
  const [parameters, setParameters] = useSearchParams();
  const [asked] = useState(() => ({ photo: parameters.get('photo'), result: parameters.get('result') }));
  const isAsked = asked.photo !== null || asked.result !== null;
  const [isLoading, setIsLoading] = useState(isAsked);
  const told = useRef(options);
  useEffect(() => {
    told.current = options;
  }, [options]);
  useEffect(() => {
    if (asked.photo === null && asked.result === null) return;
    const controller = new AbortController();
    lastJob.forget();
    setParameters({}, { replace: true });
    void open(asked, controller.signal, () => told.current).finally(() => setIsLoading(false));
    return () => controller.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once; the setter is another one after each navigation
  }, [asked]);
  return { isAsked, isLoading };
}

async function open(
  { photo, result }: { readonly photo: string | null; readonly result: string | null },
  signal: AbortSignal,
  told: () => GivenPhotoOptions,
): Promise<void> {
  try {
    if (photo !== null) {
      const { url, name } = await readSource(photo, signal);
      if (!signal.aborted) told().onStored(url, name);
    } else if (result !== null) {
      const file = await fetchResult(await readJob(result, signal), signal);
      if (!signal.aborted) told().onFile(file);
    }
  } catch (error) {
    if (!signal.aborted) told().onFault(t`The photo couldn't be opened. ${problemOf(error as Error).detail}`);
  }
}
