import { randomUUID } from 'node:crypto';
import { S3Bucket } from '../../../src/infra/storage/s3/s3-bucket.js';
import { S3ObjectStore } from '../../../src/infra/storage/s3/s3-object-store.js';
import type { S3Settings } from '../../../src/infra/storage/s3/s3-settings.js';
import type { S3Server } from './s3-server.js';

/** A store below a separate prefix. Sets the credentials of this process, where the AWS SDK looks for them. */
export async function openS3Store(
  server: S3Server,
  { scratchDir, ...settings }: { readonly scratchDir: string } & Partial<S3Settings>,
): Promise<S3ObjectStore> {
  return S3ObjectStore.open(settingsOf(server, settings), scratchDir);
}

/** A bucket whose prefix belongs to the caller. Sets the credentials, too. */
export function openS3Bucket(server: S3Server, prefix: string): S3Bucket {
  return new S3Bucket(settingsOf(server, { prefix }));
}

function settingsOf(server: S3Server, settings: Partial<S3Settings>): S3Settings {
  Object.assign(process.env, server.credentials);
  return {
    bucket: server.bucket,
    prefix: `${randomUUID()}/`,
    endpoint: server.url,
    publicEndpoint: undefined,
    region: undefined,
    forcePathStyle: true,
    encryption: undefined,
    encryptionKeyId: undefined,
    directUrls: false,
    ...settings,
  };
}
