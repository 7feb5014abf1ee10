import { Link } from 'react-router';
import type { Delivery } from 'image-enhancement-client';
import { RelativeTime } from '../../components/times/relative-time.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { DELIVERY_BADGES } from './delivery-badges.js';
import classes from './delivery-row.module.css';

export interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly search: string;
}

export function DeliveryRow({ delivery, search }: DeliveryRowProps) {
  const last = delivery.attempts.at(-1);
  const answer = last === undefined ? '' : (last.responseStatus ?? 'no response');
  return (
    <Link
      to={`/webhooks/deliveries/${delivery.id}${search}`}
      className={classes['root'] ?? ''}
      preventScrollReset
    >
      <span className={classes['what']}>
        <span className={classes['type']}>{delivery.eventType}</span>
        <span className={classes['url']}>{delivery.url}</span>
      </span>
      <StatusBadge {...DELIVERY_BADGES[delivery.status]} />
      <span className={classes['answer']}>{answer}</span>
      <span className={classes['count']}>
        {delivery.attemptCount} {delivery.attemptCount === 1 ? 'attempt' : 'attempts'}
      </span>
      <span className={classes['when']}>
        <RelativeTime iso={delivery.createdAt} />
      </span>
    </Link>
  );
}
