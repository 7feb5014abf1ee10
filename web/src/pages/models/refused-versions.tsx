import type { ModelHealth } from '../../api/schema.js';
import { Notice } from '../../components/notices/notice.js';
import { Prose } from '../../components/text/prose.js';
import { operationLabel } from '../../lib/format.js';

export interface RefusedVersionsProps {
  readonly health: ModelHealth;
}

/** Versions that are in the folder and do not serve, with what the service says about each. */
export function RefusedVersions({ health }: RefusedVersionsProps) {
  if (health.refusals.length === 0) return null;
  return (
    <Notice tone="warn" title="Some model versions were rejected">
      {health.refusals.map(({ operation, version, message }) => (
        <div key={`${operation}-${version}`}>
          <b>
            {operationLabel(operation)}, version {version}:
          </b>{' '}
          <Prose text={message} />
        </div>
      ))}
    </Notice>
  );
}
