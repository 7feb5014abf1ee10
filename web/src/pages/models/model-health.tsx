import { t } from '@lingui/core/macro';
import type { Model, ModelHealth as Health } from '../../api/schema.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { workersOf } from './workers-of.js';

export interface ModelHealthProps {
  readonly served: Model;
  readonly health: Health | undefined;
}

/** Whether jobs of this operation can currently run. */
export function ModelHealth({ served, health }: ModelHealthProps) {
  if (health === undefined) return <StatusBadge tone="calm" label={t`Checking…`} />;
  const isServing = workersOf(served, health).length > 0;
  return isServing ? (
    <StatusBadge tone="good" label={t`Serving`} />
  ) : (
    <StatusBadge tone="warn" label={t`No worker`} />
  );
}
