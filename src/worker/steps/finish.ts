import type { Config } from '../../config/env.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import type { ImageDecoder } from '../../infra/image/decoder/image-decoder.js';
import { finishPicture } from '../../infra/image/finish/finish-picture.js';
import { type Matte, readMatte } from '../../infra/image/finish/matte.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import type { AppliedOutput } from '../../kernel/output-options.js';
import { type BackgroundPicture, backgroundPicture, isDrawn } from '../../jobs/job-output.js';
import type { SourcesRepository } from '../../uploads/sources/sources.repository.js';
import type { JobRun } from '../job-run.js';
import type { RenderedResult } from './render.js';

/** The pixels to encode, and what was done to them. */
export interface FinishedResult {
  readonly result: PixelFile;
  readonly applied: Partial<AppliedOutput>;
}

/** What finishing takes besides the pixels. */
export interface FinishContext {
  readonly sources: SourcesRepository;
  readonly store: ObjectStore;
  readonly decoder: ImageDecoder;
  readonly config: Pick<Config, 'maxInputPixels'>;
}

/**
 * Turns the rendered pixels into the picture that the client ordered: cropped to its subject, with a shadow, over a
 * background, or its matte. Measures the matte of a cutout.
 * @throws AppError `gone` when the background was deleted; `undecodable_image`
 */
export async function finish(
  run: JobRun,
  { result }: RenderedResult,
  context: FinishContext,
): Promise<FinishedResult> {
  const matte = await run.stopwatch.time('encodeMs', () => matteOf(run, result));
  if (matte === null) return { result, applied: {} };
  const applied = isCutout(run) ? { confidence: matte.confidence } : {};
  const { kind = 'image', crop, padding = 0, shadow = null } = run.job.output;
  const behind = backgroundPicture(run.job.output);
  if (!isDrawn(run.job.output)) return { result, applied };
  const picture = behind === null ? null : await decodeBackground(run, behind, context);
  const finished = await run.stopwatch.time('encodeMs', () =>
    finishPicture(
      result,
      matte,
      {
        kind,
        shadow,
        cropPadding: crop === undefined ? null : padding,
        background: picture === null ? null : { picture, fit: behind!.fit },
      },
      {
        path: (name) => run.room.path(name),
        kept: (file) => run.resources.file(file),
        signal: run.signal,
      },
    ),
  );
  return { result: finished.picture, applied: { ...applied, ...finished.applied } };
}

/** Null for an image without transparency, and where nothing depends on it. */
async function matteOf(run: JobRun, result: PixelFile): Promise<Matte | null> {
  const isNeeded = isCutout(run) || isDrawn(run.job.output);
  if (!isNeeded || result.channels !== 4) return null;
  // A background color covers transparent pixels anyway.
  const isClearing = isCutout(run) && typeof run.job.output.background !== 'string';
  return readMatte(result, { signal: run.signal, clear: isClearing ? result : undefined });
}

function isCutout({ steps }: JobRun): boolean {
  return steps.some(({ route }) => route.producesAlpha);
}

/** Decodes it like any source: in a process of its own. */
async function decodeBackground(
  run: JobRun,
  { sourceId, width, height }: BackgroundPicture,
  { sources, store, decoder, config }: FinishContext,
): Promise<PixelFile> {
  const source = await sources.find(run.job.accountId, sourceId);
  if (source === null || source.deletedAt !== null)
    throw new AppError('gone', { detail: 'The background was deleted before the job used it.' });
  const bytes = await store.read(source.objectKey);
  const limits = { maxPixels: config.maxInputPixels, expectedPixels: width * height, signal: run.signal };
  const picture = await run.stopwatch.time('decodeMs', () =>
    decoder.decodeToFile(bytes, run.room.path('background.tif'), limits),
  );
  return run.resources.file(picture);
}
