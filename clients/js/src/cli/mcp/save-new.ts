import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ImageEnhancementError } from '../../errors.js';
import { trouble } from '../../platform/node-files.js';
import type { EnhanceResult } from '../../result.js';

/**
 * Saves a result at a path where no file exists, not even one that appears during the download.
 * @throws ImageEnhancementError `file_exists`, `not_saved`
 */
export async function saveNew(
  result: Pick<EnhanceResult, 'job' | 'save'>,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  // In the same folder, because a hard link cannot cross file systems.
  const draft = join(dirname(path), `.${randomUUID()}.part`);
  try {
    await result.save(draft, { signal });
    await linkOrCopy(draft, path).catch((error: unknown) => {
      if (isExisting(error)) throw fileExists(path, result.job.id);
      return trouble('not_saved', `${path} cannot be written`)(error);
    });
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Unlike a rename, neither replaces a file. Some file systems have no hard links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isExisting(error)) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function fileExists(path: string, jobId: string): ImageEnhancementError {
  return new ImageEnhancementError(
    'file_exists',
    `${path} exists and was not replaced. The result is not lost: get_status saves it with the id ${jobId}.`,
  );
}
