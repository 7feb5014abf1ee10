import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { cancelJob, createJob, type NewJob } from '../../api/job-actions.js';
import { followJob } from '../../api/job-stream.js';
import { type JobItem, readJob } from '../../api/jobs.js';
import type { Source } from '../../api/source.js';
import { uploadPhoto } from '../../api/upload.js';
import type { Enhancement, Photo } from './enhancement-state.js';

export interface EnhancementOptions {
  /** Told once the photo is stored, so that the next run need not send it again. */
  readonly onUploaded: (file: File, source: Source) => void;
  readonly onCompleted: (job: JobItem) => void;
}

/** Runs one enhancement at a time: upload, create, follow to the end; leaving the page stops the following. */
export function useEnhancement({ onUploaded, onCompleted }: EnhancementOptions) {
  const client = useQueryClient();
  const [run, setRun] = useState<Enhancement>({ phase: 'idle' });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  const start = useCallback(
    async (photo: Photo, settings: Omit<NewJob, 'sourceUrl'>) => {
      const controller = new AbortController();
      current.current?.abort();
      current.current = controller;
      const { signal } = controller;
      try {
        const source = photo.source ?? (await upload(photo.file, setRun, signal));
        onUploaded(photo.file, source);
        setRun({ phase: 'creating' });
        const created = await createJob({ sourceUrl: source.url, ...settings });
        if (signal.aborted) {
          // Canceled before there was a job to cancel.
          await cancelJob(created.id);
          return;
        }
        setRun({ phase: 'watching', job: created });
        const ended = await followJob(created.id, (job) => setRun({ phase: 'watching', job }), signal);
        if (ended.status === 'completed') onCompleted(await readJob(ended.id, signal));
        setRun({ phase: 'ended', job: ended });
      } catch (error) {
        if (!signal.aborted) setRun({ phase: 'refused', error: asError(error) });
      }
      void client.invalidateQueries({ queryKey: ['usage'] });
    },
    [client, onCompleted, onUploaded],
  );

  const stop = useCallback(() => {
    if (run.phase === 'watching') {
      // Its end comes over the stream, as any other end does.
      cancelJob(run.job.id).catch(() => undefined);
      return;
    }
    current.current?.abort();
    setRun({ phase: 'idle' });
  }, [run]);

  const reset = useCallback(() => {
    current.current?.abort();
    setRun({ phase: 'idle' });
  }, []);

  return { run, start, stop, reset };
}

function upload(file: File, setRun: (run: Enhancement) => void, signal: AbortSignal): Promise<Source> {
  setRun({ phase: 'uploading', share: 0 });
  return uploadPhoto(file, { signal, onProgress: (share) => setRun({ phase: 'uploading', share }) });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
