import { DiskObjectStore } from './disk-object-store.js';
import type { ObjectStore } from './object-store.js';
import { type S3Config, s3Settings } from './s3/s3-settings.js';

/** Local folders of a process. */
export interface StoreFolders {
  /** Holds the objects, if they are on disk. */
  readonly objectsDir: string;
  /** Holds files until they are uploaded to a remote store. */
  readonly scratchDir: string;
}

/** Opens the configured store. Loads the AWS SDK only if objects are in S3. */
export async function openObjectStore(config: S3Config, folders: StoreFolders): Promise<ObjectStore> {
  const settings = s3Settings(config);
  if (settings === undefined) return DiskObjectStore.open(folders.objectsDir);
  const { S3ObjectStore } = await import('./s3/s3-object-store.js');
  return S3ObjectStore.open(settings, folders.scratchDir);
}
