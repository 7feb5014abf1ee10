import type { Model, ModelHealth, ModelWorker } from '../../api/schema.js';

/** The workers that take jobs for exactly this version. */
export function workersOf({ operation, model }: Model, health: ModelHealth): readonly ModelWorker[] {
  return health.workers.filter(
    ({ state, versions }) =>
      state === 'serving' &&
      versions.some((each) => each.operation === operation && each.version === model.version),
  );
}
