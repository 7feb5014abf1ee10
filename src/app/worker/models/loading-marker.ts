import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStamp } from '../../../infra/database/embedded/process-stamp.js';

const PREFIX = 'models-loading-';

/**
 * Stands in DATA_DIR while a worker loads its models. One whose process is gone tells the next worker that loading
 * may kill: it then tries each version in a process of its own first.
 */
export class LoadingMarker {
  private constructor(private readonly path: string) {}

  /** @returns the marker, and whether an earlier worker died at this point */
  static async set(dataDir: string): Promise<{ marker: LoadingMarker; diedBefore: boolean }> {
    const found = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX));
    const dead = found.filter((name) => !isAlive(name.slice(PREFIX.length)));
    await Promise.all(dead.map((name) => rm(join(dataDir, name), { force: true })));
    const path = join(dataDir, `${PREFIX}${process.pid}-${processStamp(process.pid) ?? ''}`);
    await writeFile(path, '');
    return { marker: new LoadingMarker(path), diedBefore: dead.length > 0 };
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** @param owner process id and stamp, since ids come again */
function isAlive(owner: string): boolean {
  const dash = owner.indexOf('-');
  const stamp = processStamp(Number(owner.slice(0, dash)));
  return stamp !== undefined && stamp === owner.slice(dash + 1);
}
