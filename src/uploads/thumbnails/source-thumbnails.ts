import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { isImageRefusal } from '../../infra/image/codec/refusals.js';
import { ThumbnailProcesses } from '../../infra/image/thumbnails/thumbnail-process.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import { isId } from '../../kernel/ids.js';
import type { SourceEntity } from '../sources/source.entity.js';
import { SourcesRepository } from '../sources/sources.repository.js';
import { THUMBNAIL_SIDE_PIXELS, thumbnailKey } from './thumbnail.js';
import { FairTaskQueue } from '../../kernel/permits/fair-task-queue.js';
import { markerOf, readMarker } from './thumbnail-marker.js';

/** More would wait for seconds and are refused instead. A page shows fewer than one account may request. */
const MAX_WAITING = 100;
const MAX_WAITING_OF_ACCOUNT = 30;
/**
 * Low, because the machine has other work: photos that need more (an AVIF of 16 megapixels and above) have no
 * thumbnail.
 */
const MAX_DECODING_BYTES = 300 * 2 ** 20;

/** A thumbnail of a photo. */
export interface SourceThumbnail {
  readonly etag: string;
  /** Creates it if necessary. @throws AppError `undecodable_image`, `too_many_pixels`, `gone`, `service_unavailable` */
  readonly read: () => Promise<Buffer>;
}

/**
 * Thumbnails of uploaded photos, created on first request and stored from then on; so is the fact that one could not be
 * created. Created one at a time, each in its own process: neither a page of large photos nor one that crashes a
 * decoder may delay the api.
 */
@Injectable()
export class SourceThumbnails implements OnModuleDestroy {
  private readonly logger = new Logger('thumbnails');
  private readonly underWay = new Map<string, Promise<Buffer>>();
  private readonly queue = new FairTaskQueue(MAX_WAITING, MAX_WAITING_OF_ACCOUNT);
  private readonly processes: ThumbnailProcesses;
  private readonly closing = new AbortController();

  constructor(
    private readonly sources: SourcesRepository,
    private readonly store: ObjectStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const { dataDir, scratchDir = join(dataDir, 'scratch') } = config;
    this.processes = new ThumbnailProcesses([dataDir, scratchDir], (text) => this.logger.warn(text));
  }

  /** @throws AppError `not_found`, `gone` */
  async find(accountId: string, id: string): Promise<SourceThumbnail> {
    const source = isId('source', id) ? await this.sources.find(accountId, id) : null;
    if (source === null) throw new AppError('not_found');
    if (source.deletedAt !== null) throw new AppError('gone', { detail: 'The source was deleted.' });
    return { etag: `"thumbnail-${source.sha256.slice(0, 32)}"`, read: () => this.read(source) };
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }

  private async read(source: SourceEntity): Promise<Buffer> {
    return (await this.kept(source)) ?? this.underWay.get(source.id) ?? this.begin(source);
  }

  /** @throws AppError with the stored reason why there is none */
  private async kept({ id }: SourceEntity): Promise<Buffer | undefined> {
    const kept = await this.store.read(thumbnailKey(id)).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
    const marker = kept === undefined ? undefined : readMarker(kept);
    if (marker === undefined) return kept;
    if (marker.isOld) return undefined;
    throw marker.refusal;
  }

  private begin(source: SourceEntity): Promise<Buffer> {
    const made = this.queue
      .take(source.accountId, () => this.make(source))
      .finally(() => this.underWay.delete(source.id));
    this.underWay.set(source.id, made);
    return made;
  }

  private async make(source: SourceEntity): Promise<Buffer> {
    const file = await this.store.read(source.objectKey);
    const order = {
      sidePixels: THUMBNAIL_SIDE_PIXELS,
      maxPixels: this.config.maxInputPixels,
      maxDecodingBytes: MAX_DECODING_BYTES,
    };
    try {
      const picture = await this.processes.make(file, order, this.closing.signal);
      await this.keep(source, picture);
      return picture;
    } catch (error) {
      if (isImageRefusal(error)) {
        this.logger.warn(`${source.id} has no thumbnail: ${describe(error)}`);
        await this.keep(source, markerOf(error));
      }
      throw error;
    }
  }

  /** A thumbnail is deleted with its photo; one whose photo was deleted in the meantime must not be stored. */
  private async keep({ accountId, id }: SourceEntity, outcome: Buffer): Promise<void> {
    try {
      await this.store.put(thumbnailKey(id), outcome);
      const source = await this.sources.find(accountId, id);
      if (source === null || source.deletedAt !== null) await this.store.delete(thumbnailKey(id));
    } catch (error) {
      this.logger.warn(`could not store a thumbnail: ${String(error)}`);
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'gone';
}

function describe(error: AppError): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
