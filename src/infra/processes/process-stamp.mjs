// Plain JavaScript, because the scripts import it before anything is built.
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * The scope of a process id: boot of the machine and process namespace, since containers may share a folder. A stamp
 * says something only about a process of the same realm. Containers are Linux, so elsewhere there is only one realm: the
 * name of a Mac changes with its network.
 */
export function processRealm() {
  if (process.platform !== 'linux') return 'machine';
  return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
}

/**
 * Identifies one run of a process, because process ids are reused (often in restarted containers). On Linux: boot id and
 * start time (proc(5), field 22 of `stat`); elsewhere only whether the process is alive.
 * @param {number} pid
 * @returns {string | undefined} undefined if there is no such process
 */
export function processStamp(pid) {
  if (process.platform !== 'linux') return isAlive(pid) ? 'alive' : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${bootId()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process with this id is alive, whoever owns it.
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

function bootId() {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
