import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopLeftovers } from './leftovers.js';
import type { Log } from './log.js';
import { folderOwner, isOwnerGone } from '../../storage/scratch-owner.js';
import { isRoot } from './server-identity.js';
import { removeDataDir } from './staging.js';

/** Written into each folder, to distinguish leftovers of killed processes from folders in use. */
const OWNER = 'owner.json';
/** Demos and tests end sooner, so older folders of processes that are not visible here are leftovers, too. */
const MAX_RUN_MS = 7 * 86_400_000;

/**
 * Creates a DATA_DIR for the lifetime of this process, in the system's temporary folder, or in `fallbackDir` when that
 * is not writable. First removes folders of the same kind that killed processes left behind. Delete it with
 * `removeDataDir`.
 * @param prefix identifies the kind
 */
export async function makeTemporaryDataDir(prefix: string, fallbackDir: string, log: Log): Promise<string> {
  for (const parent of [tmpdir(), fallbackDir]) await removeStale(parent, prefix, log);
  const dataDir = await mkdtemp(join(tmpdir(), prefix)).catch(async () => {
    await mkdir(fallbackDir, { recursive: true });
    return mkdtemp(join(fallbackDir, prefix));
  });
  // As root, the server runs as another user, who needs access.
  if (isRoot()) await chmod(dataDir, 0o711);
  await writeFile(join(dataDir, OWNER), JSON.stringify(folderOwner()));
  return realpath(dataDir);
}

async function removeStale(parent: string, prefix: string, log: Log): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith(prefix))) {
    const dataDir = join(parent, name);
    if (!(await isAbandoned(dataDir))) continue;
    const clusterDir = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
    if (clusterDir !== undefined) await stopLeftovers(clusterDir, log);
    await removeDataDir(dataDir);
  }
}

async function isAbandoned(dataDir: string): Promise<boolean> {
  const path = join(dataDir, OWNER);
  try {
    const isGone = isOwnerGone(await readFile(path, 'utf8'));
    return isGone ?? Date.now() - (await stat(path)).mtimeMs > MAX_RUN_MS;
  } catch {
    // The folder is still being created, or it belongs to another user.
    return false;
  }
}
