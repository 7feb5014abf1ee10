import { basename, join } from 'node:path';
import { beforeEnding } from '../../infra/processes/before-ending.js';
import { InvalidVersion, MISNAMED_OPERATION, readVersion } from '../repository/read-version.js';
import { type ListedVersion, listedVersions, misnamedVersions, type RemoteFile } from './listed-version.js';
import { LocalCopy } from './local-copy.js';

/** A remote model repository. */
export interface RemoteRepository {
  /** For display, for example `s3://bucket/models`. */
  readonly url: string;
  files(): Promise<readonly RemoteFile[]>;
  /** Downloads a listed file to a new local file. */
  download(file: RemoteFile, path: string): Promise<void>;
  close(): void;
}

/** Called with a sentence and its details. */
export type Warn = (fields: object, message: string) => void;

/**
 * A local copy of a remote model repository. A version appears, changes and disappears in the copy atomically. Files
 * are verified with the hashes in their manifest. A version that fails verification may still be uploading, so it is
 * copied only when the next listing shows it unchanged; it is then refused like a damaged folder.
 */
export class ModelMirror {
  private readonly copy: LocalCopy;
  /** Signatures of versions that failed verification once, by name. */
  private readonly doubtful = new Map<string, string>();
  /** Misnamed versions that the log has. */
  private readonly reported = new Set<string>();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly remote: RemoteRepository,
    dir: string,
    private readonly warn: Warn,
  ) {
    this.copy = new LocalCopy(dir);
  }

  /**
   * Updates every version when a process starts, and downloads locally damaged ones again. If the remote repository
   * does not respond, an earlier copy serves.
   * @throws Error when there is no earlier copy either
   */
  async begin(): Promise<void> {
    const before = await this.copy.versions();
    await this.copy.drafts.sweep();
    // A container that is killed during each start would fill its disk with incomplete versions.
    const letGo = beforeEnding(() => this.copy.drafts.discardNow());
    try {
      await this.run(async (listed) => {
        for (const version of listed) await this.install(version, before, isIntact);
      });
    } catch (error) {
      if (before.size === 0)
        throw new Error(`The models at ${this.remote.url} cannot be copied: ${textOf(error)}`, {
          cause: error,
        });
      this.warn(
        { error: textOf(error) },
        `could not copy the models at ${this.remote.url}; using the last copy`,
      );
    } finally {
      letGo();
    }
  }

  /** Applies changes to the copy. An error is logged, and the remaining changes wait for the next update. */
  async update(): Promise<void> {
    try {
      const before = await this.copy.versions();
      await this.run(async (listed) => {
        for (const version of listed) await this.install(version, before);
      });
    } catch (error) {
      this.warn({ error: textOf(error) }, `could not look for models at ${this.remote.url}`);
    }
  }

  close(): void {
    this.remote.close();
  }

  /** Runs updates one after the other, because one may be requested while another is running. */
  private run(take: (listed: readonly ListedVersion[]) => Promise<void>): Promise<void> {
    const before = this.running;
    const done = (async () => {
      await before;
      await this.follow(take);
    })();
    this.running = done.catch(() => undefined);
    return done;
  }

  private async follow(take: (listed: readonly ListedVersion[]) => Promise<void>): Promise<void> {
    const files = await this.remote.files();
    this.reportMisnamed(misnamedVersions(files));
    const listed = listedVersions(files);
    // An empty listing more likely means a wrong URL than the intention to serve nothing.
    if (listed.length === 0) throw new Error('there is no <operation>/<version>/manifest.json');
    await take(listed);
    const names = new Set(listed.map(({ name }) => name));
    for (const name of (await this.copy.versions()).keys())
      if (!names.has(name)) await this.copy.remove(name);
  }

  /** They are not copied, so no worker refuses them. */
  private reportMisnamed(names: readonly string[]): void {
    for (const version of names.filter((name) => !this.reported.has(name))) {
      this.reported.add(version);
      this.warn({ version }, `a version at ${this.remote.url} is not served: ${MISNAMED_OPERATION}`);
    }
  }

  /** @param isUsable whether an up-to-date copy is intact; default: always */
  private async install(
    version: ListedVersion,
    before: ReadonlyMap<string, string>,
    isUsable?: (folder: string) => Promise<boolean>,
  ): Promise<void> {
    const { name, signature } = version;
    if (before.get(name) === signature && ((await isUsable?.(join(this.copy.dir, name))) ?? true)) return;
    const draft = await this.copy.drafts.create(name);
    try {
      for (const file of version.files) await this.remote.download(file, join(draft, basename(file.name)));
      if (isUsable === undefined && !(await isIntact(draft)) && this.doubtful.get(name) !== signature) {
        this.doubtful.set(name, signature);
        return;
      }
      await this.copy.install(draft, name, signature);
    } finally {
      await this.copy.drafts.discard(draft);
    }
  }
}

async function isIntact(folder: string): Promise<boolean> {
  try {
    await readVersion(folder);
    return true;
  } catch (error) {
    if (error instanceof InvalidVersion) return false;
    throw error;
  }
}

function textOf(error: unknown): string {
  const { message, internal } = error as Error & { readonly internal?: string };
  return internal ?? message;
}
