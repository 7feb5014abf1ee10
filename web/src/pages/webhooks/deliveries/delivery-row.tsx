import { plural, t } from '@lingui/core/macro';
import { Link } from 'react-router';
import type { SessionDelivery } from '../../../api/schema.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { DELIVERY_BADGES } from './delivery-badges.js';
import { useNow } from '../../../lib/use-now.js';
import classes from './delivery-row.module.css';
import { retryText } from './retry-text.js';

const CLOCK_MS = 10_000;

export interface DeliveryRowProps {
  readonly delivery: SessionDelivery;
  readonly search: string;
}

export function DeliveryRow({ delivery, search }: DeliveryRowProps) {
  const retry = retryText(delivery, useNow(CLOCK_MS));
  const last = delivery.attempts.at(-1);
  const answer = last === undefined ? '' : (last.responseStatus ?? t`no response`);
  return (
    <Link
      to={`/webhooks/deliveries/${delivery.id}${search}`}
      className={classes['root'] ?? ''}
      preventScrollReset
    >
      <span className={classes['what']}>
        <span className={classes['type']}>{delivery.eventType}</span>
        <span className={classes['url']}>{delivery.url}</span>
        {retry !== null && <span className={classes['retry']}>{retry}</span>}
      </span>
      <StatusBadge {...DELIVERY_BADGES[delivery.status]} />
      <span className={classes['answer']}>{answer}</span>
      <span className={classes['count']}>
        {plural(delivery.attemptCount, { one: '# attempt', other: '# attempts' })}
      </span>
      <span className={classes['when']}>
        <RelativeTime iso={delivery.createdAt} />
      </span>
    </Link>
  );
}
