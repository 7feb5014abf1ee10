import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStamp } from '../../../infra/database/embedded/process-stamp.js';

const PREFIX = 'models-loading-';

/**
 * Stands in DATA_DIR while a worker loads its models. One whose process is gone tells the next worker that loading
 * may kill: it then tries each version in a process of its own first, and leaves some out when that was not enough.
 */
export class LoadingMarker {
  private constructor(private readonly path: string) {}

  /** @returns the marker, and how many workers in a row have died at this point */
  static async set(dataDir: string): Promise<{ marker: LoadingMarker; deaths: number }> {
    const found = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX));
    const dead = found.filter((name) => !isAlive(name.slice(PREFIX.length)));
    const before = await Promise.all(dead.map((name) => deathsBefore(join(dataDir, name))));
    const deaths = dead.length === 0 ? 0 : 1 + Math.max(...before);
    const path = join(dataDir, `${PREFIX}${process.pid}-${processStamp(process.pid) ?? ''}`);
    await writeFile(path, String(deaths));
    // Only now: a worker that dies in between must not be forgotten.
    await Promise.all(dead.map((name) => rm(join(dataDir, name), { force: true })));
    return { marker: new LoadingMarker(path), deaths };
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** How many had died when the worker of a marker began. */
async function deathsBefore(path: string): Promise<number> {
  return Number(await readFile(path, 'utf8').catch(() => '0')) || 0;
}

/** @param owner process id and stamp, since ids come again */
function isAlive(owner: string): boolean {
  const dash = owner.indexOf('-');
  const stamp = processStamp(Number(owner.slice(0, dash)));
  return stamp !== undefined && stamp === owner.slice(dash + 1);
}
