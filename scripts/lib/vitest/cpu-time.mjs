import { readFileSync } from 'node:fs';
import { childrenOf } from '../child-processes.mjs';

/** Of times in /proc: USER_HZ, which Linux fixes for every program. */
const TICKS_PER_SECOND = 100;

/**
 * CPU time of a process, of the children that it waited for, and of all that run below it now. Counts no orphans.
 * @param {number} pid
 * @returns {number | undefined} milliseconds; undefined where the system has no /proc, or the process has ended
 */
export function cpuTimeMs(pid) {
  try {
    const below = childrenOf(pid).map((child) => cpuTimeMs(child) ?? 0);
    return ownTimeMs(pid) + below.reduce((sum, ms) => sum + ms, 0);
  } catch {
    return undefined;
  }
}

/** On `globalThis`, since each spec file may load this module again. */
const shared = /** @type {{ iesKeptCpu?: { ms: number } }} */ (globalThis);
const kept = (shared.iesKeptCpu ??= { ms: 0 });

/**
 * Keeps the CPU time of processes that end during `work` and that nobody waits for, such as the renderers of a
 * browser: `cpuTimeMs` counts them only while they run.
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

/** What `keepingCpuTime` has kept in this process, in milliseconds. */
export function keptCpuTimeMs() {
  return kept.ms;
}

function ownTimeMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name stands in brackets and may hold anything, brackets included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // User and system time of the process, then of the children that it waited for.
  const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}
