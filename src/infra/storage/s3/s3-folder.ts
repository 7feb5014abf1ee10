import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { resumingStream } from './resuming-stream.js';
import { S3Bucket, type S3Entry } from './s3-bucket.js';
import type { S3Settings } from './s3-settings.js';

/** Read-only access to files below a prefix. Throws the errors of `S3Bucket`. */
export class S3Folder {
  private readonly bucket: S3Bucket;

  constructor(settings: S3Settings) {
    this.bucket = new S3Bucket(settings);
  }

  async files(): Promise<readonly S3Entry[]> {
    const found: S3Entry[] = [];
    for await (const entry of this.bucket.objects()) found.push(entry);
    return found;
  }

  /**
   * Downloads a listed file to a new local file.
   * @throws also when the file was overwritten after it was listed
   */
  async download({ name, sizeBytes, etag }: S3Entry, path: string): Promise<void> {
    if (sizeBytes === 0) return pipeline([], createWriteStream(path, { flags: 'wx' }));
    const from = async (offset: number) =>
      (await this.bucket.get(name, { range: { start: offset, end: sizeBytes - 1 }, etag })).body;
    const stream = resumingStream(await from(0), sizeBytes, from);
    await pipeline(stream, createWriteStream(path, { flags: 'wx' }));
  }

  close(): void {
    this.bucket.close();
  }
}
