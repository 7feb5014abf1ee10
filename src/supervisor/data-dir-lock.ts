import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import { link, mkdir, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStamp } from '../infra/database/embedded/process-stamp.js';
import { StartError } from './start-error.js';

const TAKEOVER_POLL_MS = 10;

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
      await writeFile(draft, content, { mode: 0o600 });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`The data folder ${dataDir} cannot be written (${reason}).`, { cause: error });
    }
    try {
      const holder = await claim(path, draft);
      if (holder === undefined) return new DataDirLock(path, content);
      throw new StartError(
        `The service already runs on ${dataDir} (pid ${holder}). Stop it first, or choose another DATA_DIR.`,
      );
    } finally {
      await unlink(draft);
    }
  }

  release(): void {
    // Someone may have deleted the whole folder, or made it anew for another run.
    if (readLock(this.path) === this.content) unlinkSync(this.path);
  }
}

/**
 * Takes the lock unless a living process holds it. A dead holder's is replaced under a lock of its own, named
 * after what is replaced: so only one can do it, once, and if that one dies too the same rule helps.
 * @param draft file with what the lock is to say
 * @returns pid of the living holder; `undefined` = it is ours
 */
async function claim(path: string, draft: string): Promise<number | undefined> {
  for (;;) {
    if (await linkUnlessTaken(draft, path)) return undefined;
    const found = readLock(path);
    if (found === undefined) continue;
    const holder = livingHolder(found);
    if (holder !== undefined) return holder;
    const takeover = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
    if ((await claim(takeover, draft)) !== undefined) {
      await sleep(TAKEOVER_POLL_MS);
      continue;
    }
    if (readLock(path) === found) {
      await rename(takeover, path);
      return undefined;
    }
    // Another one has replaced it since it was read.
    await unlink(takeover);
  }
}

/** A hard link fails when the name is taken, so only one can win, and the file is whole from the first moment. */
async function linkUnlessTaken(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
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
