import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Prefix of folders that are not part of the repository. */
const DRAFT = '.draft-';
/** An older draft was left behind by a process that died: no installation takes a day. */
const ABANDONED_MS = 24 * 3_600_000;

/** Hidden folders in a model repository, in which versions are written before they are moved into place. */
export class Drafts {
  /** The hidden folders of versions that are being written. */
  private readonly open = new Set<string>();

  constructor(private readonly dir: string) {}

  /** An unused path for a hidden folder. */
  path(): string {
    return join(this.dir, `${DRAFT}${randomUUID()}`);
  }

  /**
   * Creates an empty folder for a version. Call `discard` for it in any case.
   * @param name `<operation>/<version>`
   */
  async create(name: string): Promise<string> {
    const folder = join(this.path(), name);
    this.open.add(rootOf(folder));
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** @param draft the folder from `create`, which may have been moved away */
  async discard(draft: string): Promise<void> {
    await rm(rootOf(draft), { recursive: true, force: true });
    this.open.delete(rootOf(draft));
  }

  /** Removes all drafts before this process ends. */
  discardNow(): void {
    for (const root of this.open) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Removes drafts that dead processes left behind. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.dir)) {
      if (!name.startsWith(DRAFT)) continue;
      const path = join(this.dir, name);
      const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
      if (ageMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  }
}

/** The hidden folder that contains a draft. */
export function rootOf(draft: string): string {
  return dirname(dirname(draft));
}
