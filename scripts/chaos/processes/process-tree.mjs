import { readFileSync } from 'node:fs';
import { childrenOf } from '../../lib/child-processes.mjs';

/** @typedef {{ pid: number, parentPid: number, startTicks: string, command: string }} KnownProcess */

/** All descendants of these processes; empty on systems without /proc. @returns {KnownProcess[]} */
export function descendantsOf(pids) {
  const children = pids.flatMap(childrenOf).flatMap((pid) => readProcess(pid) ?? []);
  return children.length === 0 ? [] : [...children, ...descendantsOf(children.map(({ pid }) => pid))];
}

/** Whether the process still runs. Its id may have been reused for another process. */
export function isAlive({ pid, startTicks }) {
  return readProcess(pid)?.startTicks === startTicks;
}

function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain any characters, even parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
    return { pid, parentPid: Number(fields[1]), startTicks: fields[19], command };
  } catch {
    return undefined;
  }
}
