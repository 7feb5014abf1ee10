import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { pause } from '../../http/pause.js';
import { reasonOf } from '../../platform/node-files.js';
import { UsageError } from '../values.js';

/**
 * Prevents two processes from using the same journal, which would pay for the same images twice. Takes over the lock of
 * a process that was killed.
 * @returns a function that releases the lock
 * @throws UsageError while another process holds it
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const own = `${process.pid} ${hostname()}`;
  for (let isSecond = false; ; isSecond = true) {
    try {
      await writeFile(path, own, { flag: 'wx' });
      return async () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        // On a full disk, the file exists, without its content.
        await rm(path, { force: true }).catch(() => undefined);
        throw new UsageError(`${path} cannot be written: ${reasonOf(error)}.`);
      }
      const holder = await holderOf(path);
      if (isSecond || !wasKilled(holder)) {
        throw new UsageError(
          `Another run works with this folder (process ${holder}). Wait for its end; if there is none, delete ${path}.`,
        );
      }
      await rm(path, { force: true });
    }
  }
}

/** Empty if the process was killed before it could write its name. */
async function holderOf(path: string): Promise<string> {
  const read = () => readFile(path, 'utf8').catch(() => '');
  const holder = await read();
  if (holder !== '') return holder;
  await pause(500, undefined);
  return read();
}

function wasKilled(holder: string): boolean {
  const [pid, host] = holder.split(' ');
  if (host !== hostname()) return holder === '';
  try {
    process.kill(Number(pid), 0);
    // After a container restarts, the new process often has the process id of the killed one.
    return Number(pid) === process.pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
