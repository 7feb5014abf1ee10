import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/env.js';
import { openObjectStore } from '../../infra/storage/open-object-store.js';
import { type Finding, missing, ok, reasonOf } from './finding.js';

const AREA = 'storage';
const PROBE = Buffer.from('written by npm run doctor');

/** Checks that objects can be written, read, listed, and deleted in S3. No finding for a store on disk. */
export async function examineStore(config: Config): Promise<readonly Finding[]> {
  if (config.objectStore === undefined) return [];
  const { bucket, prefix } = config.objectStore;
  const name = `s3://${bucket}/${prefix}`;
  const folder = await mkdtemp(join(tmpdir(), 'ies-doctor-'));
  try {
    await probe(config, folder);
    return [ok(AREA, `${name} can be written, read, listed and deleted`)];
  } catch (error) {
    return [
      missing(
        AREA,
        `${name} cannot be used (${reasonOf(error)})`,
        'Check OBJECT_STORE_URL, S3_ENDPOINT, the credentials and the policy of the bucket (docs/operations.md).',
      ),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws AppError the error of the store */
async function probe(config: Config, folder: string): Promise<void> {
  const store = await openObjectStore(config, { objectsDir: folder, scratchDir: folder });
  const key = `probes/${randomUUID()}`;
  try {
    await store.check();
    await store.put(key, PROBE);
    const isSame = (await store.read(key)).equals(PROBE);
    if (!isSame) throw new Error('the bytes read are not the bytes written');
    for await (const found of store.keysOlderThan(-60_000)) if (found !== '') break;
    await store.delete(key);
  } finally {
    await store.onApplicationShutdown();
  }
}
