import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Text } from '@mantine/core';
import { IconRotateClockwise } from '@tabler/icons-react';
import type { Endpoint } from 'image-enhancement-client';
import { useEndpointsRenewal, useEventTypes } from '../../../api/webhooks/webhook-endpoints.js';
import { Chips } from '../../../components/text/chips.js';
import { Countdown } from '../../../components/times/countdown.js';
import { Notice } from '../../../components/notices/notice.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { EndpointActions } from './endpoint-actions.js';
import { eventLabels } from './event-choice.js';
import classes from './endpoint-card.module.css';
import { endpointBadge, endpointTrouble } from './endpoint-state.js';

export interface EndpointCardProps {
  readonly endpoint: Endpoint;
}

/** One endpoint: its URL, its events, its state, and its actions. */
export function EndpointCard({ endpoint }: EndpointCardProps) {
  const renew = useEndpointsRenewal();
  const types = useEventTypes();
  const trouble = endpointTrouble(endpoint);
  return (
    <Paper
      withBorder
      component="article"
      aria-label={t`Endpoint ${endpoint.url}`}
      className={classes['root']}
    >
      <div className={classes['head']}>
        <div className={classes['where']}>
          <code className={classes['url']}>{endpoint.url}</code>
          <StatusBadge {...endpointBadge(endpoint)} />
        </div>
        <Text size="sm" c="dimmed">
          <Trans>
            {endpoint.description === null ? '' : `${endpoint.description} · `}Added{' '}
            <RelativeTime iso={endpoint.createdAt} />
          </Trans>
        </Text>
      </div>
      <Chips label={t`Events`} items={eventLabels(endpoint.events, types.data ?? [])} />
      {trouble !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {trouble}
        </Text>
      )}
      {endpoint.previousSecretExpiresAt !== null && (
        <Notice tone="warn" icon={<IconRotateClockwise size={18} stroke={1.8} />}>
          <span>
            <Trans>
              Deliveries are signed with both the new and the old secret. The old secret expires in{' '}
              <b>
                <Countdown untilIso={endpoint.previousSecretExpiresAt} onEnd={renew} />
              </b>
              .
            </Trans>
          </span>
        </Notice>
      )}
      <EndpointActions endpoint={endpoint} />
    </Paper>
  );
}
