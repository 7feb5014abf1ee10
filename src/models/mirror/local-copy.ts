import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folders, versionFolders } from '../repository/load-catalog.js';

/** In the folder of a version: which version of the remote repository it is. */
const SIGNATURE = '.signature';
/** Of folders that are not part of the repository. */
const DRAFT = '.draft-';
/** A draft that is older was left by a process that died. */
const ABANDONED_MS = 3_600_000;

/** The folder with the copies. Several processes may use it: a version is complete or not there. */
export class LocalCopy {
  constructor(readonly dir: string) {}

  /** The signatures of the versions that are here, by `<operation>/<version>`. */
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

  /** Makes an empty folder for a version; `install` or `discard` it. */
  async draft(name: string): Promise<string> {
    const folder = join(this.dir, `${DRAFT}${randomUUID()}`, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Puts a draft in the place of what is there. */
  async install(draft: string, name: string, signature: string): Promise<void> {
    await writeFile(join(draft, SIGNATURE), signature);
    await mkdir(join(this.dir, dirname(name)), { recursive: true });
    await this.remove(name);
    await rename(draft, join(this.dir, name)).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster, with the same version or with a newer one.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await this.discard(draft);
  }

  async discard(draft: string): Promise<void> {
    await rm(dirname(dirname(draft)), { recursive: true, force: true });
  }

  /** Removes a version at once, also while files of it are open. */
  async remove(name: string): Promise<void> {
    const away = join(this.dir, `${DRAFT}${randomUUID()}`);
    const isThere = await rename(join(this.dir, name), away).then(
      () => true,
      () => false,
    );
    if (isThere) await rm(away, { recursive: true, force: true });
  }

  /** Removes what processes that died have left. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.dir)) {
      const path = join(this.dir, name);
      const isDraft = basename(path).startsWith(DRAFT);
      const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
      if (isDraft && ageMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  }
}
