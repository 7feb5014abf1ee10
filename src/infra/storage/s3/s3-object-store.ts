import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { AppError } from '../../../kernel/app-error.js';
import { parseObjectKey, splitObjectKey } from '../object-key.js';
import {
  type ByteRange,
  type DirectLink,
  type DirectUploadAddress,
  type DirectUploadLink,
  ObjectStore,
  type OpenObject,
  type PendingObject,
} from '../object-store.js';
import { PendingFile } from '../pending-file.js';
import { Scratch } from '../scratch.js';
import { ignoreMissing, refuseFullDisk } from '../storage-fault.js';
import { cacheControlOf } from './cache-control.js';
import { PresignedUrls } from './presigned-urls.js';
import { resumingStream } from './resuming-stream.js';
import { S3Bucket } from './s3-bucket.js';
import type { S3Settings } from './s3-settings.js';

const FILE_MODE = 0o600;
const SPOOL = 'spool';
const INSTALLATION = 'installation';
/** Stores report when an upload started, not whether it makes progress. Over a slow line, it may take hours. */
const UNFINISHED_UPLOAD_MAX_AGE_MS = 86_400_000;

/**
 * Stores objects in an S3 bucket below one prefix, under their keys. A pending object is a local file until it is
 * committed, because the decoder needs a file, and a failed part can be retried only from a file.
 */
export class S3ObjectStore extends ObjectStore {
  private readonly bucket: S3Bucket;
  private readonly urls: PresignedUrls | undefined;

  private constructor(
    settings: S3Settings,
    private readonly scratch: Scratch,
    private readonly spoolDir: string,
  ) {
    super();
    this.bucket = new S3Bucket(settings);
    this.urls = settings.directUrls ? new PresignedUrls(settings) : undefined;
  }

  /** @param scratchDir the folder below which this process creates a folder for pending objects */
  static async open(settings: S3Settings, scratchDir: string): Promise<S3ObjectStore> {
    const scratch = await Scratch.open(scratchDir);
    const spool = scratch.room(SPOOL);
    await spool.make();
    return new S3ObjectStore(settings, scratch, spool.path(''));
  }

  async beginWrite(): Promise<PendingObject> {
    const path = join(this.spoolDir, randomUUID());
    const handle = await open(path, 'wx', FILE_MODE).catch(refuseFullDisk);
    return new PendingFile({ handle, path }, (file, key) => this.send(file, key));
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    parseObjectKey(key);
    const path = join(this.spoolDir, randomUUID());
    try {
      await writeFile(path, data, { mode: FILE_MODE });
      await this.send(path, key);
    } catch (error) {
      await rm(path, { force: true });
      refuseFullDisk(error);
    }
  }

  async copy(fromKey: string, toKey: string): Promise<void> {
    parseObjectKey(fromKey);
    const { kind } = parseObjectKey(toKey);
    await this.bucket.copy(fromKey, toKey, { CacheControl: cacheControlOf(kind) });
  }

  async open(key: string, choose?: (sizeBytes: number) => ByteRange | null): Promise<OpenObject> {
    parseObjectKey(key);
    const whole = await this.bucket.get(key);
    try {
      const range = choose?.(whole.sizeBytes) ?? null;
      const { sizeBytes, etag } = whole;
      if (range === null) {
        const stream = this.streamOf(key, whole.body, { start: 0, end: sizeBytes - 1 }, etag);
        return { stream, sizeBytes, range };
      }
      whole.body.destroy();
      const { body } = await this.bucket.get(key, { range, etag });
      return { stream: this.streamOf(key, body, range, etag), sizeBytes, range };
    } catch (error) {
      whole.body.destroy();
      throw error;
    }
  }

  async read(key: string): Promise<Buffer> {
    return buffer((await this.open(key)).stream);
  }

  async delete(key: string): Promise<void> {
    parseObjectKey(key);
    await this.bucket.delete(key);
  }

  async *keysOlderThan(ageMs: number): AsyncGenerator<string> {
    for await (const name of this.bucket.namesOlderThan(ageMs)) {
      if (splitObjectKey(name) !== undefined) yield name;
    }
  }

  async sweepTemporary(olderThanMs: number): Promise<void> {
    for (const name of await readdir(this.spoolDir)) {
      const path = join(this.spoolDir, name);
      const status = await stat(path).catch(ignoreMissing);
      if (status !== undefined && Date.now() - status.mtimeMs > olderThanMs) await rm(path, { force: true });
    }
    // A store that cannot list unfinished uploads removes them itself.
    await this.bucket.abortUploadsOlderThan(UNFINISHED_UPLOAD_MAX_AGE_MS).catch(() => undefined);
  }

  async installationId(): Promise<string | undefined> {
    try {
      const { body } = await this.bucket.get(INSTALLATION);
      return (await buffer(body)).toString('utf8').trim();
    } catch (error) {
      if (error instanceof AppError && error.code === 'gone') return undefined;
      throw error;
    }
  }

  async claimFor(installationId: string): Promise<void> {
    // Some stores ignore the request's condition.
    if ((await this.installationId()) !== undefined) return;
    await this.bucket.create(INSTALLATION, `${installationId}\n`);
  }

  async check(): Promise<void> {
    await this.bucket.check();
  }

  async freeBytes(): Promise<number> {
    return (await this.scratch.space()).freeBytes;
  }

  async directUrl(key: string, link: DirectLink): Promise<string | undefined> {
    parseObjectKey(key);
    return this.urls?.read(key, link);
  }

  async directUploadUrl(key: string, link: DirectUploadLink): Promise<DirectUploadAddress | undefined> {
    parseObjectKey(key);
    return this.urls?.upload(key, link);
  }

  async onApplicationShutdown(): Promise<void> {
    this.bucket.close();
    this.urls?.close();
    await this.scratch.close();
  }

  private async send(path: string, key: string): Promise<void> {
    const { kind } = parseObjectKey(key);
    await this.bucket.sendFile(path, key, { CacheControl: cacheControlOf(kind) });
    await rm(path, { force: true });
  }

  private streamOf(
    key: string,
    body: OpenObject['stream'],
    { start, end }: ByteRange,
    etag: string | undefined,
  ): OpenObject['stream'] {
    return resumingStream(body, end - start + 1, async (offset) => {
      const rest = { start: start + offset, end };
      return (await this.bucket.get(key, { range: rest, etag })).body;
    });
  }
}
