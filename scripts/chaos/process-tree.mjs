import { readdirSync, readFileSync } from 'node:fs';

/** @typedef {{ pid: number, parentPid: number, startTicks: string, command: string }} KnownProcess */

/** Every living process, as /proc shows it; none where there is no /proc. @returns {KnownProcess[]} */
export function listProcesses() {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Every process below these, at any depth. @returns {KnownProcess[]} */
export function descendantsOf(pids) {
  const all = listProcesses();
  const found = [];
  for (let parents = pids; parents.length > 0;) {
    const children = all.filter(({ parentPid }) => parents.includes(parentPid));
    found.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

/** Whether it still runs: its number may be that of another process by now. */
export function isAlive({ pid, startTicks }) {
  return readProcess(pid)?.startTicks === startTicks;
}

function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold anything, brackets included.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
    return { pid, parentPid: Number(fields[1]), startTicks: fields[19], command };
  } catch {
    return undefined;
  }
}

function namesIn(dir) {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
