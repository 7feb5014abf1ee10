import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../kernel/app-error.js';
import { ObjectStore, type OpenObject, type PendingObject } from './object-store.js';

const KEY = /^[a-z0-9][a-z0-9_.-]*(\/[a-z0-9][a-z0-9_.-]*)+$/;

/**
 * Objects as files below one folder: `tmp/` for what is being written, `kept/` for the rest, spread over
 * 256 folders for each kind. A file becomes visible by a rename, so that nobody ever sees half of one.
 */
export class DiskObjectStore extends ObjectStore {
  private constructor(
    private readonly temporaryDir: string,
    private readonly keptDir: string,
  ) {
    super();
  }

  /** Opens the store, making its folders where they are missing. */
  static async open(dir: string): Promise<DiskObjectStore> {
    const store = new DiskObjectStore(join(dir, 'tmp'), join(dir, 'kept'));
    await mkdir(store.temporaryDir, { recursive: true, mode: 0o750 });
    await mkdir(store.keptDir, { recursive: true, mode: 0o750 });
    return store;
  }

  async beginWrite(): Promise<PendingObject> {
    const path = join(this.temporaryDir, randomUUID());
    const file = await open(path, 'wx', 0o640).catch(refuseFullDisk);
    return new PendingFile(file, path, (key) => this.pathOf(key));
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    const pending = await this.beginWrite();
    try {
      await pending.write(data);
      await pending.commit(key);
    } finally {
      await pending.discard();
    }
  }

  async open(key: string): Promise<OpenObject> {
    const file = await open(this.pathOf(key), 'r').catch(refuseMissing);
    const { size } = await file.stat();
    return { stream: file.createReadStream(), sizeBytes: size };
  }

  async read(key: string): Promise<Buffer> {
    return readFile(this.pathOf(key)).catch(refuseMissing);
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async *keysOlderThan(ageMs: number): AsyncGenerator<string> {
    for (const kind of await readdir(this.keptDir)) {
      for (const shard of await readdir(join(this.keptDir, kind))) {
        for (const name of await readdir(join(this.keptDir, kind, shard))) {
          const status = await stat(join(this.keptDir, kind, shard, name)).catch(() => undefined);
          if (status !== undefined && Date.now() - status.mtimeMs > ageMs) yield `${kind}/${name}`;
        }
      }
    }
  }

  async sweepTemporary(olderThanMs: number): Promise<void> {
    for (const name of await readdir(this.temporaryDir)) {
      const path = join(this.temporaryDir, name);
      const status = await stat(path).catch(() => undefined);
      if (status !== undefined && Date.now() - status.mtimeMs > olderThanMs) await rm(path, { force: true });
    }
  }

  async check(): Promise<void> {
    await access(this.temporaryDir, constants.W_OK);
  }

  private pathOf(key: string): string {
    const [kind, ...rest] = key.split('/');
    const name = rest.join('/');
    if (!KEY.test(key) || key.includes('..') || kind === undefined || rest.length !== 1) {
      throw new Error(`not an object key: ${key}`);
    }
    const shard = createHash('sha256').update(name).digest('hex').slice(0, 2);
    return join(this.keptDir, kind, shard, name);
  }
}

class PendingFile implements PendingObject {
  private state: 'writing' | 'sealed' | 'done' = 'writing';

  constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly pathOf: (key: string) => string,
  ) {}

  async write(chunk: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < chunk.length) {
      const { bytesWritten } = await this.file.write(chunk, offset).catch(refuseFullDisk);
      offset += bytesWritten;
    }
  }

  async seal(): Promise<string> {
    if (this.state === 'writing') {
      this.state = 'sealed';
      try {
        await this.file.sync().catch(refuseFullDisk);
      } finally {
        await this.file.close();
      }
    }
    return this.path;
  }

  async commit(key: string): Promise<void> {
    const target = this.pathOf(key);
    await this.seal();
    await mkdir(dirname(target), { recursive: true, mode: 0o750 }).catch(refuseFullDisk);
    await rename(this.path, target).catch(refuseFullDisk);
    this.state = 'done';
    // The name, too, must survive a power cut.
    const folder = await open(dirname(target), 'r');
    await folder.sync().finally(() => folder.close());
  }

  async discard(): Promise<void> {
    if (this.state === 'done') return;
    if (this.state === 'writing') await this.file.close().catch(() => undefined);
    this.state = 'done';
    await unlink(this.path).catch(() => undefined);
  }
}

function refuseFullDisk(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
  throw new AppError('service_unavailable', {
    detail: 'The service has no room left for files. Nothing was stored or charged; try again later.',
    internal: 'the object store is full',
    retryAfterSeconds: 60,
    cause: error,
  });
}

function refuseMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new AppError('gone', { internal: 'object missing', cause: error });
}
