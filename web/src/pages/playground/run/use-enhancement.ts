import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CreateJob, Job, Source } from 'image-enhancement-client';
import { cancelJob } from '../../../api/jobs/job-actions.js';
import { isGone } from '../../../api/problem.js';
import type { SessionJob } from '../../../api/schema.js';
import type { uploadPhoto } from '../../../api/uploads/upload.js';
import type { Photo } from '../../../components/photo/use-photo.js';
import type { RecipeOrder } from '../recipe/recipe.js';
import { type Enhancement, isTooLate, type Uncanceled } from './enhancement-state.js';
import { lastJob } from './last-job.js';
import { runEnhancement, STOPPED, watchJob } from './run-enhancement.js';
import { sentOrder, unsigned } from './sent-order.js';
import { useOrderKey } from '../../../lib/use-order-key.js';

export interface EnhancementOptions {
  readonly upload: typeof uploadPhoto;
  /** Called once the photo is stored, so that the next run need not send it again. */
  readonly onUploaded: (file: File, source: Source) => void;
  /** Called once a reload shows the new job. */
  readonly onCreated: () => void;
  /** Called instead if the user has left the page in the meantime. @returns whether to show the job when they return */
  readonly onCreatedAway: (photo: Photo) => boolean;
  readonly onCompleted: (job: SessionJob) => void;
}

/** Runs one enhancement at a time. Leaving the page stops following the job, but never the job itself. */
export function useEnhancement(options: EnhancementOptions) {
  const { upload, onUploaded, onCreated, onCreatedAway, onCompleted } = options;
  const client = useQueryClient();
  const [run, setRun] = useState<Enhancement>({ phase: 'idle' });
  const [uncanceled, setUncanceled] = useState<Uncanceled | null>(null);
  const [sent] = useState(() => sentOrder.read());
  const { keyOf, forget: forgetKey, read: readKey } = useOrderKey(sent);
  const send = useCallback(
    (order: CreateJob) => {
      const key = keyOf(unsigned(order));
      const known = readKey();
      if (known !== null) sentOrder.keep(known);
      return key;
    },
    [keyOf, readKey],
  );
  const forget = useCallback(() => {
    forgetKey();
    sentOrder.forget();
  }, [forgetKey]);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  const cancel = useCallback(async (jobId: string, isFollowed = false) => {
    setUncanceled(null);
    try {
      await cancelJob(jobId);
    } catch (error) {
      // If the job is still followed, the stream reports that it has ended.
      if (!isFollowed || !isTooLate(error)) setUncanceled({ error: asError(error), jobId });
    }
  }, []);

  /** Stops the previous run and prepares the next one. */
  const begin = useCallback(() => {
    const controller = new AbortController();
    const { signal } = controller;
    current.current?.abort();
    current.current = controller;
    setUncanceled(null);
    const onRun = (next: Enhancement) => {
      if (signal.aborted) return;
      if (next.phase === 'ended') {
        forget();
        setUncanceled((fault) => (fault?.jobId === next.job.id ? null : fault));
      }
      setRun(next);
    };
    return { signal, onRun };
  }, [forget]);

  const start = useCallback(
    async (photo: Photo, settings: RecipeOrder) => {
      const { signal, onRun } = begin();
      const key = { sent: '' };
      const keyOfSent = (order: CreateJob) => (key.sent = send(order));
      const keep = ({ id }: Job) => {
        sentOrder.answered(key.sent);
        lastJob.keep(id);
        onCreated();
      };
      const keepAway = ({ id }: Job) => {
        sentOrder.answered(key.sent);
        if (onCreatedAway(photo)) lastJob.keep(id);
      };
      const onInDoubt = (error: Error) => setUncanceled({ error, jobId: null });
      const onUnwanted = ({ id }: { readonly id: string }) => cancel(id);
      const onAway = { onCreatedAway: keepAway, onInDoubt, onUnwanted };
      const told = { onRun, onUploaded, onCreated: keep, onCompleted, ...onAway };
      try {
        await runEnhancement({ photo, settings, signal, keyOf: keyOfSent, upload, ...told });
      } catch (error) {
        // For a day, a retry with the same key would fail because of the same missing item.
        if (!signal.aborted && isGone(error)) forget();
        onRun({ phase: 'refused', error: asError(error) });
      }
      void client.invalidateQueries({ queryKey: ['usage'] });
    },
    [begin, cancel, client, forget, send, onCompleted, onCreated, onCreatedAway, onUploaded, upload],
  );

  /** Follows a job that was created before this page was opened. */
  const resume = useCallback(
    async (job: Job) => {
      const { signal, onRun } = begin();
      try {
        await watchJob(job, { signal, onRun, onCompleted });
      } catch (error) {
        onRun({ phase: 'refused', error: asError(error) });
      }
    },
    [begin, onCompleted],
  );

  const leave = useCallback(
    (reason?: DOMException) => {
      current.current?.abort(reason);
      forget();
      setUncanceled(null);
      setRun({ phase: 'idle' });
    },
    [forget],
  );
  const reset = useCallback(() => leave(), [leave]);

  const stop = useCallback(() => {
    if (run.phase === 'watching') void cancel(run.job.id, true);
    else leave(STOPPED);
  }, [cancel, leave, run]);

  return { run, uncanceled, start, resume, stop, cancel, reset };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
