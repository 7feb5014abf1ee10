import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that is being copied changes constantly, so it is read only after it has been unchanged for this long. */
const STILL_MS = 600;

/**
 * Calls back when a folder's content has changed and settled. File system events make it fast; polling makes it
 * reliable, because network folders and links send no events.
 */
export class FolderWatch {
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private still: NodeJS.Timeout | undefined;
  private seen = '';
  private isClosed = false;

  constructor(
    private readonly root: string,
    private readonly pollMs: number,
    private readonly onRest: () => void,
  ) {}

  async begin(): Promise<void> {
    this.seen = await fingerprint(this.root);
    if (this.pollMs === 0 || this.isClosed) return;
    try {
      this.watcher = watch(this.root, { recursive: true }, () => this.stir());
      this.watcher.on('error', () => this.watcher?.close());
    } catch {
      // Without events, polling is enough.
    }
    this.timer = setInterval(() => void this.look(), this.pollMs).unref();
  }

  close(): void {
    this.isClosed = true;
    this.watcher?.close();
    clearInterval(this.timer);
    clearTimeout(this.still);
  }

  private stir(): void {
    clearTimeout(this.still);
    if (!this.isClosed) this.still = setTimeout(() => void this.look(), STILL_MS).unref();
  }

  private async look(): Promise<void> {
    const before = await fingerprint(this.root);
    if (before === this.seen || this.isClosed) return;
    await new Promise((resolve) => setTimeout(resolve, STILL_MS).unref());
    if ((await fingerprint(this.root)) !== before) return this.stir();
    if (before === this.seen || this.isClosed) return;
    this.seen = before;
    this.onRest();
  }
}

/** Names, sizes, and times of all files, `<operation>/<version>/<file>` deep. */
async function fingerprint(root: string): Promise<string> {
  const lines: string[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    const names: string[] = await readdir(path).catch(() => []);
    for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
      if (name.startsWith('.')) continue;
      const entry = await stat(join(path, name)).catch(() => undefined);
      if (entry === undefined) continue;
      lines.push(
        `${join(path, name)} ${entry.isDirectory() ? '' : entry.size} ${entry.mtimeMs} ${entry.ino}`,
      );
      if (entry.isDirectory() && depth > 1) await walk(join(path, name), depth - 1);
    }
  };
  await walk(root, 3);
  return lines.join('\n');
}
