import type { ServedModel } from '../../api/models.js';
import type { ModelsHealth, ModelWorker } from '../../api/models-health.js';

/** The workers that take jobs of this very version. */
export function workersOf({ operation, model }: ServedModel, health: ModelsHealth): readonly ModelWorker[] {
  return health.workers.filter(
    ({ state, versions }) =>
      state === 'serving' &&
      versions.some((each) => each.operation === operation && each.version === model.version),
  );
}
