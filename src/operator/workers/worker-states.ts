import type { KnownModelWorker } from '../../models/serving/model-workers.repository.js';
import { gpuFigures } from '../overview/gpu-figures.js';
import type { WorkerDto, WorkerState } from './worker.dto.js';

/** A worker without a heartbeat is listed for this long. */
const LISTED_MS = 3_600_000;

/** Workers as shown in the console: live ones by host and start, then those that stopped recently. */
export function workerStates(workers: readonly KnownModelWorker[]): WorkerDto[] {
  const isListed = ({ alive, seenAt }: KnownModelWorker): boolean =>
    alive || Date.now() - seenAt.getTime() < LISTED_MS;
  return workers
    .filter(isListed)
    .toSorted(
      (a, b) =>
        Number(b.alive) - Number(a.alive) ||
        (a.alive ? a.host.localeCompare(b.host) : b.seenAt.getTime() - a.seenAt.getTime()) ||
        a.startedAt.getTime() - b.startedAt.getTime(),
    )
    .map(workerDto);
}

/** One worker as shown in the console. */
export function workerDto(worker: KnownModelWorker): WorkerDto {
  const { id, host, pid, device, wanted, traits, load, refusals } = worker;
  const served = new Set(worker.operations.map(({ operation, model }) => `${operation}/${model.version}`));
  return {
    id,
    host,
    pid,
    state: stateOf(worker),
    wanted,
    wantedAt: worker.wantedAt?.toISOString() ?? null,
    device,
    precision: traits.precision ?? null,
    version: traits.version ?? null,
    supervised: traits.supervised ?? null,
    operations: worker.operations.map(({ operation, model }) => ({
      operation,
      version: model.version,
      model: model.name,
    })),
    earlierVersions: worker.versions
      .map(({ operation, version }) => `${operation}/${version}`)
      .filter((name) => !served.has(name)),
    refusals,
    jobs: load?.jobs ?? null,
    concurrency: load?.concurrency ?? null,
    memoryBytes: load?.memoryBytes ?? null,
    gpus: gpuFigures(load),
    settings: traits.settings ?? [],
    startedAt: worker.startedAt.toISOString(),
    seenAt: worker.seenAt.toISOString(),
  };
}

function stateOf({ alive, state, wanted, load }: KnownModelWorker): WorkerState {
  if (!alive) return 'gone';
  if (state === 'serving') return wanted === 'serve' ? 'serving' : 'draining';
  return wanted === 'drain' && load?.jobs === 0 ? 'drained' : 'draining';
}
