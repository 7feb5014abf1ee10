import { readdirSync, readFileSync } from 'node:fs';
import { processStamp } from '../../../src/infra/processes/process-stamp.mjs';

/** A process of this machine, told apart from a later one of the same number by its stamp. */
export interface KnownProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly stamp: string | undefined;
  readonly command: string;
}

/** Every process below one, at any depth, as /proc shows them now. */
export function descendantsOf(pid: number): KnownProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const found: KnownProcess[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parentPid }) => parents.includes(parentPid));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

/** Whether it still runs. */
export function isAlive({ pid, stamp }: KnownProcess): boolean {
  return processStamp(pid) === stamp && readProcess(pid) !== undefined;
}

/** Undefined for one that has ended, also while nobody has taken note of its end yet. */
function readProcess(pid: number): KnownProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold anything, brackets included.
    const [state, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
    return { pid, parentPid: Number(parentPid), stamp: processStamp(pid), command };
  } catch {
    return undefined;
  }
}
