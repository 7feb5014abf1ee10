import { type FileHandle, link, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './disk-pending-object.js';
import { ignoreMissing } from './storage-fault.js';

/** Links a file. Creates the folder only when the link fails, because the folder almost always exists. */
export async function linkWithFolder(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    ignoreMissing(error);
    await makeFolder(dirname(to));
    await link(from, to);
  }
}

/** Like `linkWithFolder`, but the new name survives a power failure. */
export async function linkDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const opening = open(folder, 'r').catch(ignoreMissing);
  let handle: FileHandle | undefined;
  try {
    await linkWithFolder(from, to);
    handle = (await opening) ?? (await open(folder, 'r'));
    await handle.sync();
  } finally {
    handle ??= await opening;
    // Not awaited, because nothing depends on it.
    void handle?.close().catch(() => undefined);
  }
}
