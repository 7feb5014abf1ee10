import { ApiError, type CreateJob, type Job, type Source } from 'image-enhancement-client';
import { followJob } from '../../../api/jobs/follow-job.js';
import { createJob } from '../../../api/jobs/job-actions.js';
import { readJob } from '../../../api/jobs/jobs.js';
import type { SessionJob } from '../../../api/schema.js';
import type { uploadPhoto } from '../../../api/uploads/upload.js';
import type { Photo } from '../../../components/photo/use-photo.js';
import type { RecipeOrder } from '../recipe/recipe.js';
import type { Enhancement } from './enhancement-state.js';

/** The abort reason when the user pressed Cancel. Leaving the page uses any other reason. */
export const STOPPED = new DOMException('Canceled by the person', 'AbortError');

const SERVER_FAULT = 500;

export interface RunOptions {
  readonly photo: Photo;
  readonly settings: RecipeOrder;
  readonly signal: AbortSignal;
  /** The idempotency key of an order. It stays the same until the outcome is known. */
  readonly keyOf: (order: CreateJob) => string;
  readonly upload: typeof uploadPhoto;
  readonly onRun: (run: Enhancement) => void;
  readonly onUploaded: (file: File, source: Source) => void;
  readonly onCreated: (job: Job) => void;
  /** Called instead if the user has left the page in the meantime. */
  readonly onCreatedAway: (job: Job) => void;
  readonly onCompleted: (job: SessionJob) => void;
  /** Called with a job that was created although the user had pressed Cancel. */
  readonly onUnwanted: (job: Job) => Promise<void>;
  /** Called when it is unknown whether such a job exists. */
  readonly onInDoubt: (error: Error) => void;
}

/**
 * Uploads the photo, creates the job, and follows it to its end.
 * @throws ApiError when a step was rejected; DOMException `AbortError` when the signal is aborted
 */
export async function runEnhancement(options: RunOptions): Promise<void> {
  const { photo, settings, signal, onRun } = options;
  const sourceUrl = photo.sourceUrl ?? (await store(photo, options));
  signal.throwIfAborted();
  onRun({ phase: 'creating' });
  const created = await create({ sourceUrl, ...settings }, options);
  if (signal.reason === STOPPED) await options.onUnwanted(created);
  else if (signal.aborted) options.onCreatedAway(created);
  signal.throwIfAborted();
  options.onCreated(created);
  await watchJob(created, options);
}

export type WatchOptions = Pick<RunOptions, 'signal' | 'onRun' | 'onCompleted'>;

/** Follows a job to its end. @throws the errors of `runEnhancement` */
export async function watchJob(job: Job, { signal, onRun, onCompleted }: WatchOptions): Promise<void> {
  onRun({ phase: 'watching', job });
  const ended = await followJob(job.id, (now) => onRun({ phase: 'watching', job: now }), signal);
  if (ended.status === 'completed') {
    const item = await withExtras(ended, signal);
    signal.throwIfAborted();
    onCompleted(item);
  }
  onRun({ phase: 'ended', job: ended });
}

async function store({ file }: Photo, { upload, onRun, signal, onUploaded }: RunOptions): Promise<string> {
  if (file === null) throw new Error('A photo without a file is stored already.');
  onRun({ phase: 'uploading', share: 0 });
  const onProgress = (share: number) => onRun({ phase: 'uploading', share });
  const source = await upload(file, { signal, onProgress });
  onUploaded(file, source);
  return source.url;
}

async function create(order: CreateJob, { signal, keyOf, onInDoubt }: RunOptions): Promise<Job> {
  try {
    return await createJob(order, keyOf(order));
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status > 0 && error.status < SERVER_FAULT;
    if (signal.reason === STOPPED && !isRefused && error instanceof Error) onInDoubt(error);
    throw error;
  }
}

/** Adds fields such as the thumbnail. The result exists and is paid for, so a failure here is ignored. */
function withExtras(ended: Job, signal: AbortSignal): Promise<SessionJob> {
  return readJob(ended.id, signal).catch(() => ({
    ...ended,
    thumbnailUrl: null,
    key: null,
    sourceName: null,
  }));
}
