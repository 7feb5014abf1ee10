import { join } from 'node:path';
import type { Config } from '../../config/env.js';
import { DiskObjectStore } from '../../infra/storage/disk-object-store.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';

/** The object store of this installation. */
export function openObjects(config: Config): Promise<ObjectStore> {
  return DiskObjectStore.open(join(config.dataDir, 'objects'));
}
