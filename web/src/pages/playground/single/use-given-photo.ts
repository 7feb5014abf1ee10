import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { fetchResult } from '../../../api/jobs/fetch-result.js';
import { readJob } from '../../../api/jobs/jobs.js';
import { readSource } from '../../../api/uploads/sources.js';
import { lastJob } from '../run/last-job.js';

export interface GivenPhotoOptions {
  readonly onStored: (sourceUrl: string, name: string | null) => void;
  readonly onFile: (file: File) => void;
}

interface Asked {
  readonly photo: string | null;
  readonly result: string | null;
}

type Tell = (options: GivenPhotoOptions) => void;

interface Reading {
  readonly isLoading: boolean;
  /** Why the photo could not be opened. */
  readonly error: Error | null;
}

const NOT_READING: Reading = { isLoading: false, error: null };
const READING: Reading = { isLoading: true, error: null };

/**
 * Opens the photo in the URL: `?photo=src_…` for a stored one, `?result=job_…` for the result of a job, which becomes a
 * separate photo. The URL stays until it is dropped, so that a reload opens the photo again.
 */
export function useGivenPhoto(options: GivenPhotoOptions) {
  const [parameters, setParameters] = useSearchParams();
  const [asked, setAsked] = useState<Asked>(() => ({
    photo: parameters.get('photo'),
    result: parameters.get('result'),
  }));
  const isAsked = asked.photo !== null || asked.result !== null;
  const [{ isLoading, error }, setReading] = useState<Reading>(isAsked ? READING : NOT_READING);
  const current = useRef<AbortController | null>(null);
  const latest = useRef({ options, parameters, setParameters });
  useEffect(() => {
    latest.current = { options, parameters, setParameters };
  });
  useEffect(() => {
    if (!isAsked) return;
    const controller = new AbortController();
    current.current = controller;
    const onOpened = (tell: Tell) => {
      lastJob.forget();
      tell(latest.current.options);
      setReading(NOT_READING);
    };
    const onFault = (fault: Error) => setReading({ isLoading: false, error: fault });
    void open(asked, controller.signal, { onOpened, onFault });
    return () => controller.abort();
  }, [asked, isAsked]);
  const retry = useCallback(() => {
    setReading(READING);
    setAsked((before) => ({ ...before }));
  }, []);
  /** Removes the photo from the URL, once something else is shown after a reload. */
  const drop = useCallback(() => {
    current.current?.abort();
    setReading(NOT_READING);
    const { parameters: before, setParameters: set } = latest.current;
    if (before.has('photo') || before.has('result')) set({}, { replace: true, preventScrollReset: true });
  }, []);
  return { isAsked, isLoading, error, retry, drop };
}

async function open(
  asked: Asked,
  signal: AbortSignal,
  told: { readonly onOpened: (tell: Tell) => void; readonly onFault: (fault: Error) => void },
): Promise<void> {
  try {
    const tell = await read(asked, signal);
    if (!signal.aborted) told.onOpened(tell);
  } catch (error) {
    if (!signal.aborted) told.onFault(error as Error);
  }
}

/** @returns how to pass the photo on. @throws ApiError, ConnectionError */
async function read({ photo, result }: Asked, signal: AbortSignal): Promise<Tell> {
  if (photo !== null) {
    const { url, name } = await readSource(photo, signal);
    return ({ onStored }) => onStored(url, name);
  }
  const file = await fetchResult(await readJob(result ?? '', signal), signal);
  return ({ onFile }) => onFile(file);
}
