import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Log } from './log.js';
import { readPostmasterFile } from './postmaster-file.js';
import { isAlive } from '../../processes/process-stamp.mjs';
import { waitUntil } from './wait-until.js';

const STOP_MS = 15_000;

/**
 * Removes processes and lock files from the data folder that would block a start. A server whose supervisor
 * was killed is shut down; the backends of a killed server are awaited, because two servers on one folder
 * destroy it.
 * @param clusterDir real path of the data folder
 * @throws EmbeddedPostgresError when it belongs to another user
 */
export async function stopLeftovers(clusterDir: string, log: Log): Promise<void> {
  const file = readPostmasterFile(clusterDir);
  if (file !== undefined && isServerOf(file.pid, clusterDir)) {
    log.warn(`stopping the PostgreSQL (pid ${file.pid}) that an earlier run left behind`);
    await stopProcess(file.pid, clusterDir);
  }
  const isUnused = await waitUntil(() => processesIn(clusterDir).length === 0, STOP_MS);
  if (!isUnused) {
    for (const pid of processesIn(clusterDir)) signal(pid, 'SIGKILL', clusterDir);
    await waitUntil(() => processesIn(clusterDir).length === 0, STOP_MS);
  }
  const stale = readPostmasterFile(clusterDir);
  // PostgreSQL would mistake any live process with that id for a server; here it can only be another program.
  if (stale !== undefined && isAlive(stale.pid)) await unlink(join(clusterDir, 'postmaster.pid'));
}

async function stopProcess(pid: number, clusterDir: string): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    signal(pid, name, clusterDir);
    if (await waitUntil(() => !isServerOf(pid, clusterDir), STOP_MS)) return;
  }
}

function signal(pid: number, name: NodeJS.Signals, clusterDir: string): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new EmbeddedPostgresError(
      `A PostgreSQL of another user (pid ${pid}) runs on ${clusterDir}. Stop it, or choose another DATA_DIR.`,
      { cause: error },
    );
  }
}

function isServerOf(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') return processesIn(clusterDir).includes(pid);
  const command = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout;
  return command.includes('postgres') && command.includes(clusterDir);
}

/**
 * Processes whose working folder is the data folder: only the server and its backends (Linux).
 */
function processesIn(clusterDir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && workingFolder(pid) === clusterDir);
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has exited, or belongs to another user.
    return undefined;
  }
}
