import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
