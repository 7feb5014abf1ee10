import { existsSync, readdirSync, readFileSync } from 'node:fs';

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

function parentOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name is in parentheses and may contain any characters, even parentheses.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
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
