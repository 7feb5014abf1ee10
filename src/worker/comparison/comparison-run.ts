import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { type TrialDevice, trialDevice } from '../../inference/device/trial-device.js';
import { configuredTriton } from '../../inference/engines/triton/configured-triton.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { ImageCodecs } from '../../infra/image/image-codecs.js';
import { Scratch, type ScratchDir } from '../../infra/storage/scratch.js';
import type { ModelVersion } from '../../models/repository/model-version.js';
import { readVersion } from '../../models/repository/read-version.js';
import type {
  ComparisonResults,
  ResultDifference,
} from '../../models/serving/comparisons/version-comparison.js';
import type {
  ClaimedComparison,
  ComparisonImages,
} from '../../models/serving/comparisons/version-comparisons.repository.js';
import { psnrOf } from '../../models/serving/difference-measure.js';
import { differenceOf } from './difference-of.js';
import { samplePhoto } from './sample-photo.js';
import { ComparisonFailure, runVersion, type VersionRun } from './version-run.js';
import { errorText } from '../../kernel/errors/error-text.js';

/** High enough for the eye: the differences between models are far larger than the loss at this quality. */
const QUALITY = 92;

/** What a comparison found. */
export interface FoundComparison {
  readonly results: ComparisonResults;
  readonly images: ComparisonImages;
}

/**
 * Runs two versions of a model on a photo, one after the other, each in a process of its own. Neither needs to be
 * loaded here. The pixels are in scratch files until they are encoded.
 */
@Injectable()
export class ComparisonRun {
  constructor(
    private readonly codecs: ImageCodecs,
    private readonly scratch: Scratch,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws ComparisonFailure; AppError of the decoder; the reason of the signal; faults of the disk
   */
  async run(comparison: ClaimedComparison, signal: AbortSignal): Promise<FoundComparison> {
    const { id, operation, level, a, b, photo } = comparison;
    const versions = [await this.version(operation, a), await this.version(operation, b)] as const;
    const routes = versions.map(({ routes: all }) => all[level]);
    const room = this.scratch.room(`comparison-${id}`);
    const files: PixelFile[] = [];
    const kept = (file: PixelFile): PixelFile => (files.push(file), file);
    try {
      await room.make();
      const { maxInputPixels } = this.config;
      const whole = kept(
        await this.codecs.decoder.decodeToFile(photo, room.path('photo.tif'), {
          maxPixels: maxInputPixels,
          expectedPixels: maxInputPixels,
          signal,
        }),
      );
      const scale = Math.max(...routes.map((route) => route.scale));
      const source = kept(await samplePhoto(whole, scale, room));
      const on = await trialDevice(this.config);
      const runs: VersionRun[] = [];
      for (const [index, version] of versions.entries()) {
        const path = room.path(`result-${index}.tif`);
        const request = this.requestOf(version, on, path);
        const { modelCheckMemoryBytes } = this.config;
        const run = await runVersion(routes[index]!, source, request, modelCheckMemoryBytes, signal);
        if (run.picture !== null) kept(run.picture);
        runs.push(run);
      }
      const [one, other] = runs as [VersionRun, VersionRun];
      const isMatte = routes.every((route) => route.producesAlpha);
      const difference = await differenceBetween(one.picture, other.picture, isMatte, signal);
      const { width, height } = source;
      return {
        results: { source: { width, height }, a: one.result, b: other.result, difference },
        images: {
          source: await this.encoded(source, room, signal),
          a: await this.encoded(one.picture, room, signal),
          b: await this.encoded(other.picture, room, signal),
        },
      };
    } finally {
      await Promise.allSettled(files.map((file) => file.close()));
      await room.remove();
    }
  }

  /** @throws ComparisonFailure when the folder is gone or not valid by now */
  private async version(operation: string, number: number): Promise<ModelVersion> {
    return readVersion(join(this.config.modelsDir, operation, String(number))).catch((error: unknown) => {
      const why = errorText(error);
      throw new ComparisonFailure(`${operation}/${number} could not be read: ${why}`, { cause: error });
    });
  }

  private requestOf(
    { folder, isRemote }: ModelVersion,
    on: TrialDevice,
    path: string,
  ): Parameters<typeof runVersion>[2] {
    const { config } = this;
    return {
      folder,
      path,
      ...on,
      threads: config.inferenceThreads,
      precision: config.precision,
      // The address may hold a password: only a version that needs it is told.
      triton: isRemote ? configuredTriton(config) : undefined,
    };
  }

  private async encoded(
    picture: PixelFile | null,
    room: ScratchDir,
    signal: AbortSignal,
  ): Promise<Buffer | null> {
    if (picture === null) return null;
    const { avifEffort, webpEffort, pngLevel } = this.config;
    const path = room.path('encoded');
    const options = { format: 'webp', quality: QUALITY, avifEffort, webpEffort, pngLevel } as const;
    await this.codecs.encoder.encodeToFile(picture, path, options, signal);
    return readFile(path);
  }
}

async function differenceBetween(
  a: PixelFile | null,
  b: PixelFile | null,
  isMatte: boolean,
  signal: AbortSignal,
): Promise<ResultDifference | null> {
  if (a === null || b === null) return null;
  const isSameShape = a.width === b.width && a.height === b.height && a.channels === b.channels;
  if (!isSameShape) return null;
  const { percent, squaredError } = await differenceOf(a, b, isMatte, signal);
  return { measure: isMatte ? 'matte' : 'color', percent, psnrDb: isMatte ? null : psnrOf(squaredError) };
}
