import { basename, join } from 'node:path';
import { InvalidVersion, readVersion } from '../repository/read-version.js';
import { type ListedVersion, listedVersions, type RemoteFile } from './listed-version.js';
import { LocalCopy } from './local-copy.js';

/** A model repository elsewhere. */
export interface RemoteRepository {
  /** For people, for example `s3://bucket/models`. */
  readonly url: string;
  files(): Promise<readonly RemoteFile[]>;
  /** Writes a file as it was listed to a new local file. */
  download(file: RemoteFile, path: string): Promise<void>;
  close(): void;
}

/** Called with a sentence and its details. */
export type Warn = (fields: object, message: string) => void;

/**
 * A local copy of a remote model repository. A version appears, changes and disappears in the copy as a whole. Files
 * are verified by the hashes in their manifest. What fails there is taken over only when it is listed unchanged once
 * more, since its upload may not have ended; it is then refused like a damaged folder.
 */
export class ModelMirror {
  private readonly copy: LocalCopy;
  /** Signatures of versions that failed once, by name. */
  private readonly doubtful = new Map<string, string>();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly remote: RemoteRepository,
    dir: string,
    private readonly warn: Warn,
  ) {
    this.copy = new LocalCopy(dir);
  }

  /**
   * For the start of a process: every version, and those that are damaged here once more. Without an answer, an earlier
   * copy serves.
   * @throws Error when there is neither
   */
  async begin(): Promise<void> {
    const before = await this.copy.versions();
    await this.copy.sweep();
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
    }
  }

  /** Takes over what has changed. A fault is logged, and the copy stays as it is. */
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

  /** One after the other: an order may come while the last one is under way. */
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
    const listed = listedVersions(await this.remote.files());
    // More likely a wrong address than a wish to serve nothing.
    if (listed.length === 0) throw new Error('there is no <operation>/<version>/manifest.json');
    await take(listed);
    const names = new Set(listed.map(({ name }) => name));
    for (const name of (await this.copy.versions()).keys())
      if (!names.has(name)) await this.copy.remove(name);
  }

  /** @param isUsable of a copy that is current; default: it is */
  private async install(
    version: ListedVersion,
    before: ReadonlyMap<string, string>,
    isUsable?: (folder: string) => Promise<boolean>,
  ): Promise<void> {
    const { name, signature } = version;
    if (before.get(name) === signature && ((await isUsable?.(join(this.copy.dir, name))) ?? true)) return;
    const draft = await this.copy.draft(name);
    try {
      for (const file of version.files) await this.remote.download(file, join(draft, basename(file.name)));
      if (isUsable === undefined && !(await isIntact(draft)) && this.doubtful.get(name) !== signature) {
        this.doubtful.set(name, signature);
        return;
      }
      await this.copy.install(draft, name, signature);
    } finally {
      await this.copy.discard(draft);
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
