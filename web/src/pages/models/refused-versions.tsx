import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ModelHealth } from '../../api/schema.js';
import { Notice } from '../../components/notices/notice.js';
import { Prose } from '../../components/text/prose.js';
import { operationLabel } from '../../lib/format.js';

export interface RefusedVersionsProps {
  readonly health: ModelHealth;
}

/** Versions in the repository that do not serve, with the service's reason for each. */
export function RefusedVersions({ health }: RefusedVersionsProps) {
  if (health.refusals.length === 0) return null;
  return (
    <Notice tone="warn" title={t`Some model versions were rejected`}>
      {health.refusals.map(({ operation, version, message }) => (
        <div key={`${operation}-${version}`}>
          <b>
            <Trans>
              {operationLabel(operation)}, version {version}:
            </Trans>
          </b>{' '}
          <Prose text={message} />
        </div>
      ))}
    </Notice>
  );
}
