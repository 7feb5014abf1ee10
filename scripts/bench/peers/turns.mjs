import { readFileSync } from 'node:fs';
import { median } from '../load.mjs';
import { familyOf, watchFamily } from '../worker/worker-watch.mjs';

/** Reading every process of the machine costs time, which is not the peer's. */
const SAMPLE_MS = 250;
const TICKS_A_SECOND = 100;

/**
 * Lets each peer do the same work in turn, several rounds, so that a machine that speeds up or slows down does so for
 * all.
 * @param {readonly { name: string, pids: readonly number[], work: () => Promise<number> }[]} peers `work` answers how
 *   many pictures it made; `pids` are the processes that do it, with all below them
 * @returns for each: pictures a second (median, lowest and highest), processor seconds a picture (median) and the
 *   highest resident memory, MB (2^20 bytes)
 */
export async function takeTurns(rounds, peers) {
  const turns = new Map(peers.map(({ name }) => [name, []]));
  for (const { work } of peers) await work();
  for (let round = 0; round < rounds; round += 1)
    for (const peer of peers) turns.get(peer.name).push(await oneTurn(peer));
  return [...turns].map(([name, all]) => {
    const rates = all.map(({ perSecond }) => perSecond).toSorted((a, b) => a - b);
    return {
      name,
      perSecond: median(rates),
      lowest: rates[0],
      highest: rates.at(-1),
      cpuSeconds: median(all.map((turn) => turn.cpuSeconds)),
      memoryMb: Math.max(...all.map((turn) => turn.memoryMb)),
    };
  });
}

async function oneTurn({ pids, work }) {
  const watches = pids.map((pid) => watchFamily(pid, SAMPLE_MS));
  const cpuBefore = cpuOf(pids);
  const startedAt = performance.now();
  const count = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuOf(pids) - cpuBefore;
  const memoryMb = watches.map((end) => end()).reduce((sum, mb) => sum + mb, 0);
  return { perSecond: count / seconds, cpuSeconds: cpu / count, memoryMb };
}

/** Processor seconds of these processes, of those below them, and of those that have ended. */
function cpuOf(pids) {
  return pids.flatMap(familyOf).reduce((sum, pid) => sum + secondsOf(pid), 0);
}

function secondsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
    // utime, stime, cutime and cstime of proc(5).
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}
