import { stat, statfs } from 'node:fs/promises';

/** Space on the file system of a folder, in bytes. */
export interface DiskSpace {
  /** Available to ordinary users. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** @throws the file system's error, for example when the folder is missing */
export async function diskSpace(dir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Whether two folders are on the same file system, so that filling one fills the other. */
export async function isSameDisk(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  return a.dev === b.dev;
}
