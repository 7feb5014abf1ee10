import { readdirSync, readlinkSync } from 'node:fs';

export { descendantsOf, isAlive } from '../../../scripts/lib/child-processes.mjs';
export type { KnownProcess } from '../../../scripts/lib/child-processes.mjs';

/** The open files of a process: paths, and the names that /proc gives sockets and pipes. */
export function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch (error) {
      // Closed in the meantime.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Sends a signal. @returns false when the process has ended */
export function signaled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
