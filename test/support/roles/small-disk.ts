import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system that fills up quickly: a realistic full disk. */
export class SmallDisk {
  private constructor(readonly dir: string) {}

  /** @returns undefined where this user may not mount file systems */
  static mount(sizeBytes: number): SmallDisk | undefined {
    const dir = mkdtempSync(join(tmpdir(), 'small-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', dir], { stdio: 'ignore' });
      return new SmallDisk(dir);
    } catch {
      rmdirSync(dir);
      return undefined;
    }
  }

  remove(): void {
    execFileSync('umount', [this.dir]);
    rmdirSync(this.dir);
  }
}
