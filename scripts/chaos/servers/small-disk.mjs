import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK_BYTES = 2 ** 20;

/** A small temporary file system (tmpfs) that can be filled completely. */
export class SmallDisk {
  #isOurs;

  /** @param {string} dir where it is mounted. @param {boolean} isOurs whether to unmount it at the end */
  constructor(dir, isOurs) {
    this.dir = dir;
    this.filler = join(dir, 'chaos-filler');
    this.#isOurs = isOurs;
  }

  /** @returns `undefined` if this user may not mount file systems; the folder is created in any case */
  static mount(dir, sizeBytes) {
    mkdirSync(dir, { recursive: true, mode: 0o755 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0755`, 'tmpfs', dir], {
        stdio: 'ignore',
      });
      return new SmallDisk(dir, true);
    } catch {
      return undefined;
    }
  }

  /** A disk that is already mounted; see `own-disks.mjs`. */
  static prepared(dir) {
    return new SmallDisk(dir, false);
  }

  /** Fills the disk completely. Writes in progress fail with ENOSPC. */
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

  /** Unmounts the disk, or empties it for the next run. */
  release() {
    if (this.#isOurs) execFileSync('umount', ['-l', this.dir], { stdio: 'ignore' });
    else for (const name of readdirSync(this.dir)) rmSync(join(this.dir, name), { recursive: true });
  }
}
