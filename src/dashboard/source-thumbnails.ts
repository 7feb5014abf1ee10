import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { readHeader } from '../infra/image/header.js';
import { thumbnailOfFile } from '../infra/image/thumbnail.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { AppError } from '../kernel/app-error.js';
import { isId } from '../kernel/ids.js';
import type { SourceEntity } from '../uploads/source.entity.js';
import { SourcesRepository } from '../uploads/sources.repository.js';
import { THUMBNAIL_SIDE_PIXELS, thumbnailKey } from '../uploads/thumbnail.js';

/** One is made at a time; more than this wait for seconds, and are told to come back instead. */
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;
/** The api process stays small: of the few photos that take more (a very large AVIF, say) there is no thumbnail. */
const MAX_DECODING_BYTES = 300 * 2 ** 20;

/** A small picture of a photo. */
export interface SourceThumbnail {
  readonly etag: string;
  /** Makes it, if need be. @throws AppError `undecodable_image`, `too_many_pixels`, `gone`, `service_unavailable` */
  readonly read: () => Promise<Buffer>;
}

/**
 * Small pictures of uploaded photos, made when somebody wants to see them and kept from then on. Made one at a time,
 * however many are asked for: a page of large photos must not hold up the api.
 */
@Injectable()
export class SourceThumbnails {
  private readonly logger = new Logger('thumbnails');
  private readonly underWay = new Map<string, Promise<Buffer>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly sources: SourcesRepository,
    private readonly store: ObjectStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `not_found`, `gone` */
  async find(accountId: string, id: string): Promise<SourceThumbnail> {
    const source = isId('source', id) ? await this.sources.find(accountId, id) : null;
    if (source === null) throw new AppError('not_found');
    if (source.deletedAt !== null) throw new AppError('gone', { detail: 'The source was deleted.' });
    return { etag: `"thumbnail-${source.sha256.slice(0, 32)}"`, read: () => this.read(source) };
  }

  private async read(source: SourceEntity): Promise<Buffer> {
    try {
      return await this.store.read(thumbnailKey(source.id));
    } catch (error) {
      if (!isGone(error)) throw error;
      return this.underWay.get(source.id) ?? this.begin(source);
    }
  }

  private begin(source: SourceEntity): Promise<Buffer> {
    if (this.underWay.size >= MAX_WAITING)
      throw new AppError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const made = this.last.then(() => this.make(source)).finally(() => this.underWay.delete(source.id));
    this.underWay.set(source.id, made);
    this.last = made.catch(() => undefined);
    return made;
  }

  private async make(source: SourceEntity): Promise<Buffer> {
    const file = await this.store.read(source.objectKey);
    const limits = { maxPixels: this.config.maxInputPixels };
    if ((await readHeader(file, limits)).decodingBytes > MAX_DECODING_BYTES)
      throw new AppError('too_many_pixels', {
        detail: 'Decoding the photo would take too much memory here, so there is no small picture of it.',
      });
    const picture = await thumbnailOfFile(file, THUMBNAIL_SIDE_PIXELS, limits);
    await this.keep(source, picture).catch((error: unknown) => {
      this.logger.warn(`a thumbnail is made anew each time, since it could not be kept: ${String(error)}`);
    });
    return picture;
  }

  /** Whoever deletes the photo deletes this too; what was deleted while it was made must not come back. */
  private async keep({ accountId, id }: SourceEntity, picture: Buffer): Promise<void> {
    await this.store.put(thumbnailKey(id), picture);
    const source = await this.sources.find(accountId, id);
    if (source === null || source.deletedAt !== null) await this.store.delete(thumbnailKey(id));
  }
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'gone';
}
