import { randomBytes } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import { link, mkdir, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStamp } from '../../infra/database/embedded/process-stamp.js';
import { StartError } from './start-error.js';

/** One supervisor for one DATA_DIR: two would fight over the database in it. */
export class DataDirLock {
  private constructor(
    private readonly path: string,
    private readonly content: string,
  ) {}

  /** @throws StartError when a living supervisor holds it or the folder cannot be written */
  static async acquire(dataDir: string): Promise<DataDirLock> {
    const path = join(dataDir, 'supervisor.lock');
    const content = JSON.stringify({ pid: process.pid, stamp: processStamp(process.pid) });
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
    try {
      await mkdir(dataDir, { recursive: true });
      await writeFile(draft, content);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`The data folder ${dataDir} cannot be written (${reason}).`, { cause: error });
    }
    try {
      await claim(path, draft, dataDir);
      return new DataDirLock(path, content);
    } finally {
      await unlink(draft);
    }
  }

  release(): void {
    // Someone may have deleted the whole folder, or made it anew for another run.
    if (readLock(this.path) === this.content) unlinkSync(this.path);
  }
}

async function claim(path: string, draft: string, dataDir: string): Promise<void> {
  for (;;) {
    try {
      // A hard link fails when the name is taken, so only one can win.
      await link(draft, path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = readLock(path);
    if (found === undefined) continue;
    const holder = livingHolder(found);
    if (holder !== undefined) {
      throw new StartError(
        `The service already runs on ${dataDir} (pid ${holder}). Stop it first, or choose another DATA_DIR.`,
      );
    }
    await putAside(path, found);
  }
}

/** Takes a dead holder's lock away, unless someone else did and holds it anew since it was read. */
async function putAside(path: string, stale: string): Promise<void> {
  const aside = `${path}.stale.${randomBytes(4).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readLock(aside) !== stale) await link(aside, path).catch(() => undefined);
  await unlink(aside);
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function livingHolder(content: string): number | undefined {
  try {
    const { pid, stamp } = JSON.parse(content) as { pid: number; stamp?: string };
    return stamp !== undefined && processStamp(pid) === stamp ? pid : undefined;
  } catch {
    return undefined;
  }
}
