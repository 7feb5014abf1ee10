import type { Refusal } from '../../repository/catalog.js';
import type { CatalogOperation } from '../../repository/described-versions.js';
import { isPinnedKind } from '../../repository/work-kind.js';
import type { OperationVersion } from '../../repository/model-promise.js';
import type { ModelHealthDto } from '../model-health.dto.js';
import type { KnownModelWorker } from '../model-workers.repository.js';

/** The state of the models in service, for operators and `models` tools. */
export function modelHealth(
  offered: readonly CatalogOperation[],
  workers: readonly KnownModelWorker[],
  ownRefusals: readonly Refusal[],
): ModelHealthDto {
  const living = workers.filter(({ alive }) => alive);
  const serving = living.filter(({ state }) => state === 'serving');
  // The worker that started last has the most recent view.
  const known = newestFirst(serving)[0]?.refusals ?? workers[0]?.refusals ?? ownRefusals;
  const refusals = [...known, ...lastHolders(living)];
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

/** Versions that only replaced workers have loaded, and only for jobs that were promised them. */
function lastHolders(living: readonly KnownModelWorker[]): readonly Refusal[] {
  const serving = living.filter(({ state }) => state === 'serving');
  if (serving.length === 0 || serving.some(({ kinds }) => kinds.length === 0)) return [];
  const served = new Set(serving.flatMap(({ kinds }) => kinds));
  const loaded = serving.flatMap(({ versions }) => versions);
  // Workers load versions whose folder is there as soon as a job needs them.
  const found = serving.flatMap(({ available }) => available);
  const atHand = new Set([...loaded, ...found].map(nameOf));
  const lastHeld = new Map<string, Refusal>();
  for (const { kinds, versions } of living.filter(({ state }) => state === 'draining')) {
    // Every worker has its own pinned kinds, whether or not jobs request them.
    const unserved = kinds.filter((kind) => !served.has(kind) && !isPinnedKind(kind));
    const operations = new Set(unserved.map((kind) => kind.split('/')[0]));
    for (const held of versions.filter((each) => operations.has(each.operation) && !atHand.has(nameOf(each))))
      lastHeld.set(nameOf(held), {
        operation: held.operation,
        version: String(held.version),
        message: `${nameOf(held)} runs only from the memory of a worker that was replaced, for jobs assigned to it. The worker ends after them; put the folder back to let others help.`,
      });
  }
  return [...lastHeld.values()];
}

function nameOf({ operation, version }: OperationVersion): string {
  return `${operation}/${version}`;
}

function newestFirst(workers: readonly KnownModelWorker[]): readonly KnownModelWorker[] {
  return workers.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
}
