import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { DeviceLostError } from '../../inference/device-fault.js';
import { RunNotMade } from '../../inference/engines/run-not-made.js';
import { isUnanswered } from '../../inference/engines/triton/server-errors.js';
import { EnhancerPool } from '../../inference/enhancer-pool.js';
import { renderedShape } from '../../inference/render-job.js';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { ImageCodecs } from '../../infra/image/image-codecs.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { Scratch, type ScratchDir } from '../../infra/storage/scratch.js';
import type { JobEntity } from '../../jobs/job.entity.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';
import { isPresent } from '../../models/repository/catalog.js';
import type { ShadowComparison } from '../../models/serving/shadow/shadow-figures.repository.js';
import { SourcesRepository } from '../../uploads/sources/sources.repository.js';
import { differenceOf } from '../comparison/difference-of.js';
import { timedRender } from '../comparison/timed-render.js';
import { errorText } from '../../kernel/errors/error-text.js';

/** Both routes of a photo. Their results have the same shape. */
export interface ComparedRoutes {
  readonly job: Pick<JobEntity, 'id' | 'accountId' | 'sourceId' | 'sourcePixels'>;
  readonly serving: ModelRoute;
  readonly shadow: ModelRoute;
}

/** The shadow failed where the serving version did not. */
export class ShadowFailure extends Error {}

interface Rendered {
  readonly picture: PixelFile;
  readonly ms: number;
}

/**
 * Runs two versions of a model on the photo of a finished job, one after the other, and compares what they render. The
 * pixels of both are in scratch files until then, and nowhere else.
 */
@Injectable()
export class ModelComparison {
  constructor(
    private readonly sources: SourcesRepository,
    private readonly store: ObjectStore,
    private readonly codecs: ImageCodecs,
    private readonly devices: EnhancerPool,
    private readonly scratch: Scratch,
    @Inject(CONFIG) private readonly config: Pick<Config, 'maxInputPixels'>,
  ) {}

  /** Whether an inference server that one of the routes needs accepts no requests now. */
  isAway({ serving, shadow }: Pick<ComparedRoutes, 'serving' | 'shadow'>): boolean {
    return ![serving, shadow].every((route) => isPresent(route, this.devices.away));
  }

  /**
   * @returns undefined when the photo was deleted
   * @throws ShadowFailure; RunNotMade; the reason of the signal; errors of the serving version, the decoder, and the
   * disk
   */
  async run(routes: ComparedRoutes, signal: AbortSignal): Promise<ShadowComparison | undefined> {
    const { job, serving, shadow } = routes;
    const found = await this.sources.find(job.accountId, job.sourceId);
    if (found === null || found.deletedAt !== null) return undefined;
    const files: PixelFile[] = [];
    const room = this.scratch.room(`shadow-${job.id}`);
    const { enhancer, release } = this.devices.take();
    try {
      await room.make();
      const limits = {
        maxPixels: this.config.maxInputPixels,
        expectedPixels: job.sourcePixels,
        signal,
      };
      const bytes = await this.store.read(found.objectKey);
      const source = await this.codecs.decoder.decodeToFile(bytes, room.path('source.tif'), limits);
      files.push(source);
      const render = async (route: ModelRoute, name: string): Promise<Rendered> => {
        const picture = await PixelFile.create(room.path(name), renderedShape(route, source));
        files.push(picture);
        return {
          picture,
          ms: await timedRender(enhancer, route, { source, picture }, { signal, owner: 'shadow' }),
        };
      };
      const before = await render(serving, 'serving.tif');
      const after = await render(shadow, 'shadow.tif').catch((error: unknown) => {
        // The worker, which drains after it lost a device, may have aborted the run already.
        if (!(error instanceof DeviceLostError)) signal.throwIfAborted();
        // Its inference server accepts no requests, which says nothing about the version.
        if (error instanceof RunNotMade && !isUnanswered(error)) throw error;
        throw new ShadowFailure(errorText(error), { cause: error });
      });
      const difference = await differenceOf(before.picture, after.picture, serving.producesAlpha, signal);
      return { ...difference, servingMs: before.ms, shadowMs: after.ms };
    } finally {
      release();
      await removeAll(files, room);
    }
  }
}

async function removeAll(files: readonly PixelFile[], room: ScratchDir): Promise<void> {
  await Promise.allSettled(files.map((file) => file.close()));
  await room.remove();
}
