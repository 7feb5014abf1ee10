import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Drafts } from '../files/drafts.js';
import { folders, versionFolders } from '../repository/version-folders.js';

/** File in the folder of a version that contains the signature of the remote version. */
const SIGNATURE = '.signature';

/** The folder with the copies. Several processes may use it, because a version is either complete or absent. */
export class LocalCopy {
  readonly drafts: Drafts;

  constructor(readonly dir: string) {
    this.drafts = new Drafts(dir);
  }

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

  /** Replaces the current version with a draft. */
  async install(draft: string, name: string, signature: string): Promise<void> {
    await writeFile(join(draft, SIGNATURE), signature);
    await mkdir(join(this.dir, dirname(name)), { recursive: true });
    await this.remove(name);
    await rename(draft, join(this.dir, name)).catch((error: NodeJS.ErrnoException) => {
      // Another process has already installed the same version or a newer one.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await this.drafts.discard(draft);
  }

  /** Removes a version atomically, even while its files are open. */
  async remove(name: string): Promise<void> {
    const away = this.drafts.path();
    const isThere = await rename(join(this.dir, name), away).then(
      () => true,
      () => false,
    );
    if (isThere) await rm(away, { recursive: true, force: true });
  }
}
