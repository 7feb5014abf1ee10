import { readFileSync } from 'node:fs';
import { childrenOf } from '../child-processes.mjs';

/** Ticks per second of times in /proc: USER_HZ, which Linux fixes for all programs. */
const TICKS_PER_SECOND = 100;

/**
 * CPU time of a process, of the children that it waited for, and of all current descendants. Does not count orphans.
 * @param {number} pid
 * @returns {number | undefined} milliseconds; undefined on systems without /proc, or when the process has ended
 */
export function cpuTimeMs(pid) {
  try {
    const below = childrenOf(pid).map((child) => cpuTimeMs(child) ?? 0);
    return ownTimeMs(pid) + below.reduce((sum, ms) => sum + ms, 0);
  } catch {
    return undefined;
  }
}

/** On `globalThis`, because each spec file may load this module again. */
const shared = /** @type {{ iesKeptCpu?: { ms: number } }} */ (globalThis);
const kept = (shared.iesKeptCpu ??= { ms: 0 });

/**
 * Records the CPU time of processes that end during `work` without being waited for, such as the renderers of a
 * browser. `cpuTimeMs` counts these only while they run.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function keepingCpuTime(work) {
  const beforeMs = cpuTimeMs(process.pid) ?? 0;
  try {
    return await work();
  } finally {
    kept.ms += Math.max(0, beforeMs - (cpuTimeMs(process.pid) ?? beforeMs));
  }
}

/** The CPU time that `keepingCpuTime` has recorded in this process, in milliseconds. */
export function keptCpuTimeMs() {
  return kept.ms;
}

function ownTimeMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name is in parentheses and may contain any characters, even parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // User and system time of the process, and of the children that it waited for.
  const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}
