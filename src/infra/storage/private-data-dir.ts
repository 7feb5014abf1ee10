import type { Stats } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The umask of every process of the service: no access for group and others.
 */
const UMASK = 0o077;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/**
 * When the service runs as root, the users of the embedded PostgreSQL and of the decoders must be able to traverse the
 * folder, but not to read it.
 */
const ROOT_FOLDER_MODE = 0o711;

/** PostgreSQL manages its own modes. */
const CLUSTER = 'postgres';
/**
 * Folders whose entries are also corrected. The mode of any other folder protects its content.
 */
const MENDED_INSIDE: ReadonlySet<string> = new Set(['logs']);

/** From now on, only the service's user can access what this process and its children create. */
export function keepFilesPrivate(): void {
  process.umask(UMASK);
}

/**
 * Removes the access of group and others from files that earlier versions created in DATA_DIR. Skips links and files of
 * other users.
 * @returns paths whose mode could not be changed
 */
export async function restrictDataDir(dataDir: string): Promise<string[]> {
  const isRoot = process.getuid?.() === 0;
  const failed = await setMode(dataDir, await lstat(dataDir), isRoot ? ROOT_FOLDER_MODE : FOLDER_MODE);
  return [...failed, ...(await closeEntries(dataDir, (name) => name !== CLUSTER))];
}

async function closeEntries(
  folder: string,
  isOurs: (name: string) => boolean = () => true,
): Promise<string[]> {
  const failed: string[] = [];
  for (const name of (await readdir(folder)).filter(isOurs)) {
    const path = join(folder, name);
    // Another process may have removed it in the meantime.
    const status = await lstat(path).catch(() => undefined);
    if (status === undefined) continue;
    if (status.isDirectory()) failed.push(...(await setMode(path, status, FOLDER_MODE)));
    else if (status.isFile()) failed.push(...(await setMode(path, status, FILE_MODE)));
    if (status.isDirectory() && MENDED_INSIDE.has(name)) failed.push(...(await closeEntries(path)));
  }
  return failed;
}

async function setMode(path: string, status: Stats, mode: number): Promise<string[]> {
  const isOpen = (status.mode & UMASK & ~mode) !== 0;
  if (!isOpen || status.isSymbolicLink() || status.uid !== process.getuid?.()) return [];
  try {
    await chmod(path, mode);
    return [];
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : [path];
  }
}
