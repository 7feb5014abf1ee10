import type { CatalogOperation, Refusal } from '../repository/catalog.js';
import type { ModelHealthDto } from './model-health.dto.js';
import type { KnownModelWorker } from './model-workers.repository.js';

/** What operators and `models` tools are told about the models in service. */
export function modelHealth(
  offered: readonly CatalogOperation[],
  workers: readonly KnownModelWorker[],
  ownRefusals: readonly Refusal[],
): ModelHealthDto {
  const living = workers.filter(({ alive }) => alive);
  const serving = living.filter(({ state }) => state === 'serving');
  // Whoever started last has looked last.
  const refusals = newestFirst(serving)[0]?.refusals ?? workers[0]?.refusals ?? ownRefusals;
  return {
    status: refusals.length === 0 && serving.length > 0 ? 'ok' : 'degraded',
    operations: offered.map(({ operation, model }) => ({ operation, model })),
    refusals,
    workers: newestFirst(living).map(({ id, device, state, versions, startedAt, seenAt }) => ({
      id,
      device,
      state,
      versions,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
    })),
  };
}

function newestFirst(workers: readonly KnownModelWorker[]): readonly KnownModelWorker[] {
  return workers.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
}
