import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Attempt } from 'image-enhancement-client';
import { ScrollRegion } from '../../../components/pages/scroll-region.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { formatDateTime, formatDuration } from '../../../lib/format.js';
import classes from './attempt-view.module.css';

export interface AttemptViewProps {
  readonly attempt: Attempt;
}

/** One attempt: its time, its duration, and the response. */
export function AttemptView({ attempt }: AttemptViewProps) {
  const { responseStatus, responseBody, error } = attempt;
  const isGood = responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
  return (
    <article className={classes['root']} aria-label={t`Attempt ${attempt.number}`}>
      <div className={classes['head']}>
        <StatusBadge
          tone={isGood ? 'good' : 'bad'}
          label={responseStatus === null ? t`No response` : String(responseStatus)}
        />
        <Text size="sm">
          <Trans>Attempt {attempt.number}</Trans>
        </Text>
        <Text size="sm" c="dimmed">
          {formatDateTime(attempt.startedAt)}, {formatDuration(attempt.durationMs)}
        </Text>
      </div>
      {error !== null && (
        <Text size="sm" mt={6}>
          {error}
        </Text>
      )}
      {responseBody !== null && responseBody !== '' && (
        <ScrollRegion className={classes['body']} label={t`Response to attempt ${attempt.number}`}>
          <pre>{responseBody}</pre>
        </ScrollRegion>
      )}
    </article>
  );
}
