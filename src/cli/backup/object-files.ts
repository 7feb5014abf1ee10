import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../infra/storage/disk-pending-object.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { diskFaultCode } from '../../infra/storage/storage-fault.js';
import { AppError } from '../../kernel/app-error.js';
import { BackupError } from './backup-error.js';
import type { ListedObject } from './object-list.js';

const OBJECTS_FOLDER = 'objects';

/**
 * Copies an object into the backup. The file survives a power failure once its folder is synced.
 * @returns the object with size and checksum; undefined if the store does not have it; `damaged` if it cannot be read,
 * or its size or checksum is not that of its row
 */
export async function copyOut(
  store: ObjectStore,
  dir: string,
  object: ListedObject,
): Promise<ListedObject | 'damaged' | undefined> {
  const opened = await store.open(object.key).catch(undefinedIfGone);
  if (opened === undefined) return undefined;
  if (object.bytes !== undefined && object.bytes !== opened.sizeBytes) {
    opened.stream.destroy();
    return 'damaged';
  }
  const path = objectPath(dir, object.key);
  await makeFolder(dirname(path));
  const hash = createHash('sha256');
  const hashed = new PassThrough().on('data', (chunk: Buffer) => hash.update(chunk));
  let fault: unknown;
  opened.stream.once('error', (error) => (fault = error));
  try {
    // An earlier try may have left a part of the file behind.
    await pipeline(opened.stream, hashed, createWriteStream(path, { flush: true }));
  } catch (error) {
    // Only a fault of the object, not one of the disk of the backup.
    if (diskFaultCode(fault) !== 'EIO') throw error;
    await rm(path, { force: true });
    return 'damaged';
  }
  const sha256 = hash.digest('hex');
  if (object.sha256 === undefined || object.sha256 === sha256)
    return { ...object, bytes: opened.sizeBytes, sha256 };
  await rm(path);
  return 'damaged';
}

/** Writes an object of the backup to the store, unless the store has it. @throws BackupError if its file is damaged */
export async function copyIn(
  store: ObjectStore,
  dir: string,
  object: ListedObject,
): Promise<'copied' | 'there'> {
  if (await isStored(store, object)) return 'there';
  const pending = await store.beginWrite();
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(objectPath(dir, object.key))) {
      hash.update(chunk as Buffer);
      await pending.write(chunk as Buffer);
    }
    if (hash.digest('hex') !== object.sha256)
      throw new BackupError(`${objectPath(dir, object.key)} is corrupt: its checksum does not match.`);
    await pending.commit(object.key);
    return 'copied';
  } catch (error) {
    await pending.discard();
    if (isMissingFile(error))
      throw new BackupError(`${objectPath(dir, object.key)} is missing.`, { cause: error });
    throw error;
  }
}

/** Whether the store has the object, in the expected size. */
export async function isStored(store: ObjectStore, { key, bytes }: ListedObject): Promise<boolean> {
  const opened = await store.open(key).catch(undefinedIfGone);
  opened?.stream.destroy();
  return opened !== undefined && (bytes === undefined || opened.sizeBytes === bytes);
}

/** Folder of a key. It comes from the last characters, which are random; the first are a time. */
export function objectPath(dir: string, key: string): string {
  const [kind = '', name = ''] = key.split('/');
  const shard = createHash('sha256').update(name).digest('hex').slice(0, 2);
  return join(dir, OBJECTS_FOLDER, kind, shard, name);
}

function undefinedIfGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'gone') return undefined;
  throw error;
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
