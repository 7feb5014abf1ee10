import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { childrenOf } from '../../../scripts/lib/child-processes.mjs';
import { processStamp } from '../../../src/infra/processes/process-stamp.mjs';

/** A process of this machine; its stamp tells it apart from a later one with the same id. */
export interface KnownProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly stamp: string | undefined;
  readonly command: string;
}

/** Every process below one, at any depth, as /proc shows them now. */
export function descendantsOf(pid: number): KnownProcess[] {
  return below([pid]);
}

function below(pids: readonly number[]): KnownProcess[] {
  const children = pids.flatMap(childrenOf).flatMap((pid) => readProcess(pid) ?? []);
  return children.length === 0 ? [] : [...children, ...below(children.map(({ pid }) => pid))];
}

/** Whether it is still running. */
export function isAlive({ pid, stamp }: KnownProcess): boolean {
  return processStamp(pid) === stamp && readProcess(pid) !== undefined;
}

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

/** Undefined for a process that has ended, even if nobody has reaped it yet. */
function readProcess(pid: number): KnownProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain anything, even parentheses.
    const [state, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
    return { pid, parentPid: Number(parentPid), stamp: processStamp(pid), command };
  } catch {
    return undefined;
  }
}
