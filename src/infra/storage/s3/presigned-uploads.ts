import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectUploadAddress, DirectUploadLink } from '../object-store.js';
import { newS3Client } from './new-s3-client.js';
import type { S3Settings } from './s3-settings.js';

/** Names of the headers that a store requires as headers, not in the query. */
const ENCRYPTION = 'x-amz-server-side-encryption';
const ENCRYPTION_KEY = 'x-amz-server-side-encryption-aws-kms-key-id';

/** Creates URLs at the store to which clients can upload objects without credentials. */
export class PresignedUploads {
  private readonly client: S3Client;

  constructor(private readonly settings: S3Settings) {
    // The SDK's default checksum would be that of an empty body.
    this.client = newS3Client(settings, {
      endpoint: settings.publicEndpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
  }

  /**
   * Signs a URL. The signature covers the size, so the store refuses uploads of any other size.
   * @param name of the object, below the prefix
   */
  async sign(name: string, { expiresAt, sizeBytes }: DirectUploadLink): Promise<DirectUploadAddress> {
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
      expiresIn: Math.max(1, expiresAt - Math.floor(Date.now() / 1000)),
      signableHeaders: new Set(['host', 'content-length', ...Object.keys(headers)]),
      unhoistableHeaders: new Set(Object.keys(headers)),
    });
    return { url, headers };
  }

  close(): void {
    this.client.destroy();
  }
}
