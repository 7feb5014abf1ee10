import { cpuTimeMs } from '../../lib/vitest/cpu-time.mjs';
import { median } from '../load.mjs';
import { watchFamily } from '../worker/worker-watch.mjs';

/** A shorter interval would affect the results, because samples are taken on the same cores. */
const SAMPLE_MS = 250;

/**
 * Lets the peers do the same work in turn for several rounds, so that changes in the speed of the machine affect all of
 * them. The first round of each is a warm-up.
 * @param {readonly { name: string, pids: readonly number[], work: () => Promise<number> }[]} peers `work` resolves to
 *   the number of pictures; `pids` are the processes that do it, in addition to their descendants
 * @returns for each: pictures per second (median, lowest, and highest), CPU seconds per picture (median), and the
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

/** CPU seconds of these processes and their descendants, including those that have ended. */
function cpuOf(pids) {
  return pids.reduce((sum, pid) => sum + (cpuTimeMs(pid) ?? 0), 0) / 1000;
}
