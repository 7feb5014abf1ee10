import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { finishPicture } from '../../infra/image/finish/finish-picture.js';
import { type Matte, readMatte } from '../../infra/image/finish/matte.js';
import { AppError } from '../../kernel/app-error.js';
import type { AppliedOutput } from '../../kernel/output-options.js';
import { backgroundPicture, isDrawn } from '../../jobs/job-output.js';
import type { JobRun } from '../job-run.js';
import { decodePicture, type PictureContext } from './decode-picture.js';
import type { RenderedResult } from './render.js';

const ALL_ERASED =
  'The mask erases everything that the model kept, so the result would be empty. Leave a part of the subject gray or white. The job was not charged.';

/** The pixels to encode, and what was done to them. */
export interface FinishedResult {
  readonly result: PixelFile;
  readonly applied: Partial<AppliedOutput>;
}

/**
 * Turns the rendered pixels into the picture that the client ordered: cropped to its subject, with a shadow, over a
 * background, or its matte. Measures the matte of a cutout.
 * @throws AppError `gone` when the background was deleted; `undecodable_image`; `no_subject_found` when a mask erases
 * everything
 */
export async function finish(
  run: JobRun,
  { result }: RenderedResult,
  context: PictureContext,
): Promise<FinishedResult> {
  const matte = await run.stopwatch.time('encodeMs', () => matteOf(run, result));
  if (matte === null) return { result, applied: {} };
  if (matte.subject === null && run.steps.some(({ step }) => step.mask !== undefined))
    throw new AppError('no_subject_found', { detail: ALL_ERASED });
  const applied = isCutout(run) ? { confidence: matte.confidence } : {};
  const { kind = 'image', crop, padding = 0, shadow = null } = run.job.output;
  const behind = backgroundPicture(run.job.output);
  if (!isDrawn(run.job.output)) return { result, applied };
  const picture = behind === null ? null : await decodePicture(run, behind, 'background', context);
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
