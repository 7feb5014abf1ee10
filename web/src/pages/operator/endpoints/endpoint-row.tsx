import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useSwitchEndpoint } from '../../../api/operator/failing-endpoints.js';
import type { FailingEndpoint } from '../../../api/operator/schema.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { OwnerLine } from '../owner-line.js';
import classes from './failing-endpoints.module.css';

const REASONS = {
  manual: t`Disabled manually`,
  gone: t`Disabled: 410 Gone`,
  failing: t`Disabled after days of failures`,
} as const;

export interface EndpointRowProps {
  readonly endpoint: FailingEndpoint;
}

/** One endpoint: its URL, its account, the result of its last attempt, and the switch. */
export function EndpointRow({ endpoint }: EndpointRowProps) {
  const change = useSwitchEndpoint(endpoint.id);
  const { enabled, disabledReason, origin, pending } = endpoint;
  return (
    <li className={classes['row']}>
      <div className={classes['what']}>
        <span className={classes['origin']}>{origin}</span>
        <span className={classes['error']}>{errorText(endpoint)}</span>
        <OwnerLine accountId={endpoint.accountId} account={endpoint.accountName} id={endpoint.id} />
        {change.error !== null && <ErrorState error={change.error} />}
      </div>
      <div className={classes['state']}>
        {enabled ? (
          <StatusBadge tone="warn" label={t`Failing`} />
        ) : (
          <StatusBadge tone="bad" label={REASONS[disabledReason ?? 'manual']} />
        )}
        <span className={classes['detail']}>
          <Trans>
            First failure <RelativeTime iso={endpoint.failingSince} />
          </Trans>
        </span>
        {pending > 0 && (
          <span className={classes['detail']}>
            {plural(pending, { one: '# delivery pending', other: '# deliveries pending' })}
          </span>
        )}
      </div>
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        aria-label={enabled ? t`Disable ${origin}` : t`Enable ${origin}`}
        onClick={() => change.mutate(!enabled)}
      >
        {enabled ? t`Disable` : t`Enable`}
      </Button>
    </li>
  );
}

function errorText({ lastError }: FailingEndpoint): string {
  if (lastError === null) return t`The last error is no longer available.`;
  const { responseStatus, error } = lastError;
  return responseStatus === null ? (error ?? t`No response`) : t`HTTP status ${responseStatus}`;
}
