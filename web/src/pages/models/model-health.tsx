import type { ServedModel } from '../../api/models.js';
import type { ModelsHealth } from '../../api/models-health.js';
import { StatusBadge } from '../../components/status-badge.js';
import { workersOf } from './workers-of.js';

export interface ModelHealthProps {
  readonly served: ServedModel;
  readonly health: ModelsHealth | undefined;
}

/** Whether jobs of this operation would run now. */
export function ModelHealth({ served, health }: ModelHealthProps) {
  if (health === undefined) return <StatusBadge tone="calm" label="Asking …" />;
  const isServing = workersOf(served, health).length > 0;
  return isServing ? (
    <StatusBadge tone="good" label="Serving" />
  ) : (
    <StatusBadge tone="warn" label="No worker" />
  );
}
