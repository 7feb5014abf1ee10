import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * A process of this machine. The time of its start tells it apart from a later one with the same id.
 * @typedef {{ pid: number, parentPid: number, startTicks: string, command: string }} KnownProcess
 */

/** Some kernels do not provide these files. */
const HAS_CHILDREN_FILES = existsSync(`/proc/self/task/${process.pid}/children`);

/**
 * The children of a process, including zombies. Reads only this process, because reading all of /proc takes 20 ms of
 * CPU time on a busy machine.
 * @param {number} pid
 * @returns {number[]} empty when the process has ended, or on systems without /proc
 */
export function childrenOf(pid) {
  if (!HAS_CHILDREN_FILES)
    return namesIn('/proc')
      .map(Number)
      .filter((each) => parentOf(each) === pid);
  return namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/**
 * Every process below these, at any depth.
 * @param {...number} pids
 * @returns {KnownProcess[]} empty on systems without /proc
 */
export function descendantsOf(...pids) {
  const children = pids.flatMap(childrenOf).flatMap((pid) => readProcess(pid) ?? []);
  return children.length === 0 ? [] : [...children, ...descendantsOf(...children.map(({ pid }) => pid))];
}

/**
 * Whether it is still running.
 * @param {KnownProcess} known
 */
export function isAlive({ pid, startTicks }) {
  return readProcess(pid)?.startTicks === startTicks;
}

/** Undefined for a process that has ended, even if nobody has reaped it yet. */
function readProcess(pid) {
  const [state, parentPid, startTicks] = fieldsOf(pid);
  if (startTicks === undefined || state === 'Z') return undefined;
  const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return { pid, parentPid: Number(parentPid), startTicks, command };
}

function parentOf(pid) {
  return Number(fieldsOf(pid)[1]);
}

/** State, parent and time of the start: fields 3, 4 and 22 of proc(5). Empty for a process that has ended. */
function fieldsOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name is in parentheses and may contain any characters, even parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.length < 20 ? [] : [fields[0], fields[1], fields[19]];
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for a thread that has ended. */
function textOf(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
