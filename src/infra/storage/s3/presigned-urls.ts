import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectLink } from '../object-store.js';
import { newS3Client } from './new-s3-client.js';
import type { S3Settings } from './s3-settings.js';

/** The limit of Signature Version 4. */
const MAX_SECONDS = 7 * 86_400;

/** Creates URLs at the store that need no credentials. */
export class PresignedUrls {
  private readonly client: S3Client;

  constructor(private readonly settings: S3Settings) {
    this.client = newS3Client(settings, { endpoint: settings.publicEndpoint });
  }

  /** @param name of the object, below the prefix */
  async sign(name: string, { expiresAt, contentType, fileName }: DirectLink): Promise<string> {
    const secondsLeft = Math.min(MAX_SECONDS, Math.max(1, expiresAt - Math.floor(Date.now() / 1000)));
    const command = new GetObjectCommand({
      Bucket: this.settings.bucket,
      Key: `${this.settings.prefix}${name}`,
      ResponseCacheControl: `private, max-age=${secondsLeft}, immutable`,
      ResponseContentType: contentType,
      ResponseContentDisposition: `inline; filename="${fileName}"`,
    });
    return getSignedUrl(this.client, command, { expiresIn: secondsLeft });
  }

  close(): void {
    this.client.destroy();
  }
}
