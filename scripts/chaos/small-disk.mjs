import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK_BYTES = 2 ** 20;

/** A small file system (tmpfs) of our own, which can be filled to the last byte. */
export class SmallDisk {
  constructor(dir) {
    this.dir = dir;
    this.filler = join(dir, 'chaos-filler');
  }

  /** @returns `undefined` where this user may not mount file systems; the folder exists in any case */
  static mount(dir, sizeBytes) {
    mkdirSync(dir, { recursive: true, mode: 0o755 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0755`, 'tmpfs', dir], {
        stdio: 'ignore',
      });
      return new SmallDisk(dir);
    } catch {
      return undefined;
    }
  }

  /** Takes all the room there is. What is being written meanwhile meets ENOSPC. */
  async fill() {
    const { bavail, bsize } = await statfs(this.dir);
    const chunk = Buffer.alloc(CHUNK_BYTES);
    try {
      await writeFile(this.filler, '');
      for (let bytes = bavail * bsize; bytes > 0; bytes -= CHUNK_BYTES) {
        await writeFile(this.filler, chunk.subarray(0, Math.min(bytes, CHUNK_BYTES)), { flag: 'a' });
      }
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }

  empty() {
    return rm(this.filler, { force: true });
  }

  unmount() {
    execFileSync('umount', ['-l', this.dir], { stdio: 'ignore' });
  }
}
