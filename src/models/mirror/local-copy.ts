import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folders, versionFolders } from '../repository/load-catalog.js';

/** File in the folder of a version that contains the signature of the remote version. */
const SIGNATURE = '.signature';
/** Prefix of folders that are not part of the repository. */
const DRAFT = '.draft-';
/** An older draft was left behind by a process that died. */
const ABANDONED_MS = 3_600_000;

/** The folder with the copies. Several processes may use it, because a version is either complete or absent. */
export class LocalCopy {
  constructor(readonly dir: string) {}

  /** The signatures of the local versions, by `<operation>/<version>`. */
  async versions(): Promise<ReadonlyMap<string, string>> {
    await mkdir(this.dir, { recursive: true, mode: 0o700 });
    const found = new Map<string, string>();
    for (const operation of await folders(this.dir))
      for (const version of await versionFolders(join(this.dir, operation)).catch(() => [])) {
        const path = join(this.dir, operation, version, SIGNATURE);
        found.set(`${operation}/${version}`, await readFile(path, 'utf8').catch(() => ''));
      }
    return found;
  }

  /** Creates an empty folder for a version. Call `install` or `discard` for it. */
  async draft(name: string): Promise<string> {
    const folder = join(this.dir, `${DRAFT}${randomUUID()}`, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Replaces the current version with a draft. */
  async install(draft: string, name: string, signature: string): Promise<void> {
    await writeFile(join(draft, SIGNATURE), signature);
    await mkdir(join(this.dir, dirname(name)), { recursive: true });
    await this.remove(name);
    await rename(draft, join(this.dir, name)).catch((error: NodeJS.ErrnoException) => {
      // Another process has already installed the same version or a newer one.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await this.discard(draft);
  }

  async discard(draft: string): Promise<void> {
    await rm(dirname(dirname(draft)), { recursive: true, force: true });
  }

  /** Removes a version atomically, even while its files are open. */
  async remove(name: string): Promise<void> {
    const away = join(this.dir, `${DRAFT}${randomUUID()}`);
    const isThere = await rename(join(this.dir, name), away).then(
      () => true,
      () => false,
    );
    if (isThere) await rm(away, { recursive: true, force: true });
  }

  /** Removes drafts that dead processes left behind. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.dir)) {
      const path = join(this.dir, name);
      const isDraft = basename(path).startsWith(DRAFT);
      const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
      if (isDraft && ageMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  }
}
