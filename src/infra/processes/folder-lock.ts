import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { bareEnvironment } from '../../config/child-environment.js';

const TAKEN = 75;

/**
 * A lock of the kernel on a folder (flock). It is visible in all containers of a machine, and ends with its process. It
 * leaves no file behind.
 */
export class FolderLock {
  private constructor(private readonly descriptor: number) {}

  /**
   * @returns undefined where there is no program `flock` of util-linux, or the file system cannot lock folders (NFS)
   * @throws the file system's error when the folder cannot be opened
   */
  static tryAcquire(dir: string): FolderLock | 'taken' | undefined {
    const descriptor = openSync(dir, 'r');
    // The lock belongs to what was opened, not to the program that takes it.
    const { status } = spawnSync(
      'flock',
      ['--exclusive', '--nonblock', '--conflict-exit-code', String(TAKEN), '3'],
      { env: bareEnvironment(), stdio: ['ignore', 'ignore', 'ignore', descriptor] },
    );
    if (status === 0) return new FolderLock(descriptor);
    closeSync(descriptor);
    return status === TAKEN ? 'taken' : undefined;
  }

  release(): void {
    closeSync(this.descriptor);
  }
}
