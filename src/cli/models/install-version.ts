import { rmSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { checkVersion } from '../../models/check/check-version.js';
import type { VersionVerdict } from '../../models/check/verdict.js';
import { Drafts, rootOf } from '../../models/files/drafts.js';
import { VERSION_NAME } from '../../models/repository/read-version.js';
import { type ModelsContext, ModelsError } from './models-command.js';

/** For a version above another one. */
export const TAKES_OVER =
  'A running service gives this version to all customers now, unless an operator has chosen a version: docs/operator.md.';

export interface InstalledVersion {
  /** `<models>/<operation>/<version>` */
  readonly folder: string;
  readonly version: number;
  readonly verdict: VersionVerdict;
}

/**
 * Installs the next version of an operation. The version is written under a hidden name next to the repository's
 * folders, checked there, and then moved into place, so a running service never sees an incomplete version.
 * @param write fills the folder
 * @param keepBroken installs the version even if the check rejects it
 * @throws ModelsError with the reason for the rejection
 */
export async function installVersion(
  { config, progress, signal }: Pick<ModelsContext, 'config' | 'progress' | 'signal'>,
  operation: string,
  write: (folder: string) => Promise<void>,
  keepBroken = false,
  onStep: (doing: string) => void = (doing) => progress.to(0, doing),
): Promise<InstalledVersion> {
  const home = join(config.modelsDir, operation);
  const drafts = new Drafts(config.modelsDir);
  await drafts.sweep();
  const version = await nextVersion(home);
  const draft = await drafts.create(join(operation, String(version)));
  // The process ends right after an interruption, before anything asynchronous is done.
  const discard = (): void => rmSync(rootOf(draft), { recursive: true, force: true, maxRetries: 5 });
  signal.addEventListener('abort', discard);
  try {
    signal.throwIfAborted();
    await write(draft);
    const verdict = await checkVersion(draft, {
      memoryLimitBytes: config.modelCheckMemoryBytes,
      threads: config.inferenceThreads,
      signal,
      onStep: (doing) => onStep(doing.replace(/ fails /, ' ')),
    });
    if (!verdict.ok && !keepBroken) throw new ModelsError(verdict.refusal.message);
    await mkdir(home, { recursive: true });
    const number = await moved(draft, home, version);
    return { folder: join(home, String(number)), version: number, verdict };
  } finally {
    signal.removeEventListener('abort', discard);
    await drafts.discard(draft);
  }
}

/** Uses the next number if another command has taken this one. @returns the number */
async function moved(draft: string, home: string, version: number): Promise<number> {
  try {
    await rename(draft, join(home, String(version)));
    return version;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    return moved(draft, home, await nextVersion(home));
  }
}

async function nextVersion(home: string): Promise<number> {
  const names = await readdir(home).catch(() => []);
  return 1 + Math.max(0, ...names.filter((name) => VERSION_NAME.test(name)).map(Number));
}
