import type { Config } from '../../config/env.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import type { ImageDecoder } from '../../infra/image/decoder/image-decoder.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import type { SourcesRepository } from '../../uploads/sources/sources.repository.js';
import type { JobRun } from '../job-run.js';

/** Where the pictures that a job uses besides its source come from. */
export interface PictureContext {
  readonly sources: SourcesRepository;
  readonly store: ObjectStore;
  readonly decoder: ImageDecoder;
  readonly config: Pick<Config, 'maxInputPixels'>;
}

/** An upload that a job uses besides its source. */
export interface UsedPicture {
  readonly sourceId: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes an upload like any source: in a process of its own.
 * @param name for errors, and of its file: `background`
 * @throws AppError `gone` when it was deleted; `undecodable_image`
 */
export async function decodePicture(
  run: JobRun,
  { sourceId, width, height }: UsedPicture,
  name: string,
  { sources, store, decoder, config }: PictureContext,
): Promise<PixelFile> {
  const source = await sources.find(run.job.accountId, sourceId);
  if (source === null || source.deletedAt !== null)
    throw new AppError('gone', { detail: `The ${name} was deleted before the job used it.` });
  const bytes = await store.read(source.objectKey);
  const limits = { maxPixels: config.maxInputPixels, expectedPixels: width * height, signal: run.signal };
  const picture = await run.stopwatch.time('decodeMs', () =>
    decoder.decodeToFile(bytes, run.room.path(`${name}.tif`), limits),
  );
  return run.resources.file(picture);
}
