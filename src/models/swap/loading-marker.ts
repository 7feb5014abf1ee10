import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitAfterRuns } from '../../inference/device/threads/exit-after-runs.js';
import { beforeEnding } from '../../infra/processes/before-ending.js';
import { folderOwner, isOwnerGone } from '../../infra/storage/scratch-owner.js';

const PREFIX = 'models-loading-';

/**
 * A file in DATA_DIR that exists while a worker loads its models. A marker of a dead process warns the next worker that
 * loading may be fatal: it then first tries each version in its own process, and leaves some out when that is not
 * enough. Markers of workers on other machines or in other containers are ignored, because their processes are not
 * visible.
 */
export class LoadingMarker {
  private readonly letGoOfSignals: () => void;

  private constructor(private readonly path: string) {
    // A worker that was asked to end while loading was not killed by its models. `exit` would end the device thread
    // during loading, which aborts with a C++ error.
    this.letGoOfSignals = beforeEnding(() => rmSync(this.path, { force: true }), exitAfterRuns);
  }

  /** @returns the marker, and how many workers in a row died while loading */
  static async set(dataDir: string): Promise<{ marker: LoadingMarker; deaths: number }> {
    const names = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX));
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(dataDir, name);
        return { path, text: await readFile(path, 'utf8').catch(() => '') };
      }),
    );
    const dead = found.filter(({ text }) => isOwnerGone(text) === true);
    const deaths = dead.length === 0 ? 0 : 1 + Math.max(...dead.map(({ text }) => deathsBefore(text)));
    const path = join(dataDir, `${PREFIX}${randomUUID()}`);
    await writeFile(path, JSON.stringify({ ...folderOwner(), deaths }));
    const marker = new LoadingMarker(path);
    // Removes the old markers last, so that a death in between is not lost.
    await Promise.all(dead.map((each) => rm(each.path, { force: true })));
    return { marker, deaths };
  }

  async remove(): Promise<void> {
    this.letGoOfSignals();
    await rm(this.path, { force: true });
  }
}

/** How many workers in a row had died before the worker of a marker started. */
function deathsBefore(text: string): number {
  return (JSON.parse(text) as { deaths?: number }).deaths ?? 0;
}
