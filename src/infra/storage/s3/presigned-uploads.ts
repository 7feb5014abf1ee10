import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectUploadAddress, DirectUploadLink } from '../object-store.js';
import { newS3Client } from './new-s3-client.js';
import type { S3Settings } from './s3-settings.js';

/** Header names that a store demands as headers and not in the query. */
const ENCRYPTION = 'x-amz-server-side-encryption';
const ENCRYPTION_KEY = 'x-amz-server-side-encryption-aws-kms-key-id';

/** Addresses at the store to which clients send objects without a key. */
export class PresignedUploads {
  private readonly client: S3Client;

  constructor(private readonly settings: S3Settings) {
    // The default checksum would be that of an empty body.
    this.client = newS3Client(settings, {
      endpoint: settings.publicEndpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
  }

  /**
   * The signature covers the size, so that the store refuses any other.
   * @param name below the prefix
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
