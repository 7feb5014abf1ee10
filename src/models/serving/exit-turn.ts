import { isPinnedKind } from '../repository/work-kind.js';
import type { ModelWorkerState } from './model-worker.entity.js';

/** Share of the workers that keep serving while others are replaced, about as many as in a rolling update. */
const SERVING_SHARE = 0.75;

/** A worker of the fleet, or one that recently left it. */
export interface FleetWorker {
  readonly id: string;
  /** The kinds of jobs that it runs; empty for workers of older versions, which may run everything. */
  readonly kinds: readonly string[];
  readonly state: ModelWorkerState;
  /** Whether it has a recent heartbeat. */
  readonly alive: boolean;
  readonly startedAt: Date;
  /** When it stopped taking jobs, unless an operator drained it; null if that was too long ago to expect a successor. */
  readonly leftAt: Date | null;
}

/**
 * Whether a worker may exit while enough others serve. For each kind of its jobs, the others must make up at least
 * three quarters of the fleet, rounded down. Pinned kinds do not count, because successors load their versions again.
 * @param fleet all workers, including this one; a worker that is not included, or takes no jobs, may always exit
 */
export function mayExit(id: string, fleet: readonly FleetWorker[]): boolean {
  const me = fleet.find((worker) => worker.id === id);
  if (me === undefined || me.state !== 'serving') return true;
  const kinds = me.kinds.filter((kind) => !isPinnedKind(kind));
  return kinds.every((kind) => {
    const peers = fleet.filter((worker) => worker.kinds.length === 0 || worker.kinds.includes(kind));
    const others = peers.filter((worker) => worker.id !== id && isServing(worker)).length;
    return others >= Math.floor((others + 1 + awayIn(peers)) * SERVING_SHARE);
  });
}

/** The number of workers that left and have not been replaced. Each worker that starts later replaces one. */
function awayIn(workers: readonly FleetWorker[]): number {
  const departures = workers.flatMap(({ leftAt }) => (leftAt === null ? [] : [leftAt.getTime()]));
  // A worker that crashed after its start replaces nobody.
  const starts = workers
    .filter((worker) => isServing(worker) || worker.leftAt !== null)
    .map(({ startedAt }) => startedAt.getTime());
  const since = (times: readonly number[], time: number): number => times.filter((one) => one >= time).length;
  return Math.max(0, ...departures.map((time) => since(departures, time) - since(starts, time)));
}

const isServing = ({ state, alive }: FleetWorker): boolean => state === 'serving' && alive;
