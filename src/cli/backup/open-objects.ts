import { join } from 'node:path';
import type { Config } from '../../config/env.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { openObjectStore } from '../../infra/storage/open-object-store.js';

/** The object store of this installation. */
export function openObjects(config: Config): Promise<ObjectStore> {
  return openObjectStore(config, {
    objectsDir: join(config.dataDir, 'objects'),
    scratchDir: config.scratchDir ?? join(config.dataDir, 'scratch'),
  });
}
