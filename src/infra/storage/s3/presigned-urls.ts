import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectLink, DirectUploadAddress, DirectUploadLink } from '../object-store.js';
import { newS3Client } from './new-s3-client.js';
import type { S3Settings } from './s3-settings.js';

/** The limit of Signature Version 4. */
const MAX_SECONDS = 7 * 86_400;

/** Names of the headers that a store requires as headers, not in the query. */
const ENCRYPTION = 'x-amz-server-side-encryption';
const ENCRYPTION_KEY = 'x-amz-server-side-encryption-aws-kms-key-id';

/** Creates URLs at the store that need no credentials. The names of objects are below the prefix. */
export class PresignedUrls {
  private readonly client: S3Client;

  constructor(private readonly settings: S3Settings) {
    // The SDK's default checksum would be that of an empty body.
    this.client = newS3Client(settings, {
      endpoint: settings.publicEndpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
  }

  /** A URL to read an object. */
  async read(name: string, { expiresAt, contentType, fileName }: DirectLink): Promise<string> {
    const expiresIn = Math.min(MAX_SECONDS, secondsUntil(expiresAt));
    const command = new GetObjectCommand({
      Bucket: this.settings.bucket,
      Key: `${this.settings.prefix}${name}`,
      ResponseCacheControl: `private, max-age=${expiresIn}, immutable`,
      ResponseContentType: contentType,
      ResponseContentDisposition: `inline; filename="${fileName}"`,
    });
    return getSignedUrl(this.client, command, { expiresIn });
  }

  /** A URL to upload an object. The signature covers the size, so the store refuses uploads of any other size. */
  async upload(name: string, { expiresAt, sizeBytes }: DirectUploadLink): Promise<DirectUploadAddress> {
    const { bucket, prefix, encryption, encryptionKeyId } = this.settings;
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: `${prefix}${name}`,
      ContentLength: sizeBytes,
      ...(encryption !== undefined && { ServerSideEncryption: encryption }),
      ...(encryptionKeyId !== undefined && { SSEKMSKeyId: encryptionKeyId }),
    });
    const headers = {
      ...(encryption !== undefined && { [ENCRYPTION]: encryption }),
      ...(encryptionKeyId !== undefined && { [ENCRYPTION_KEY]: encryptionKeyId }),
    };
    const url = await getSignedUrl(this.client, command, {
      expiresIn: secondsUntil(expiresAt),
      signableHeaders: new Set(['host', 'content-length', ...Object.keys(headers)]),
      unhoistableHeaders: new Set(Object.keys(headers)),
    });
    return { url, headers };
  }

  close(): void {
    this.client.destroy();
  }
}

function secondsUntil(unixSeconds: number): number {
  return Math.max(1, unixSeconds - Math.floor(Date.now() / 1000));
}
