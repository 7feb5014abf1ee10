import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import type { OperatorAuditEvent } from '../../../api/operator/schema.js';
import { EventRow } from '../../activity/event-row.js';
import classes from './audit-row.module.css';

export interface AuditRowProps {
  readonly event: OperatorAuditEvent;
}

/** One event of any account. */
export function AuditRow({ event }: AuditRowProps) {
  const actor = actorOf(event);
  return (
    <EventRow
      event={event}
      account={
        event.accountId === null ? (
          t`Whole service`
        ) : (
          <Link to={`/operator/audit?account=${event.accountId}`} className={classes['link'] ?? ''}>
            {event.accountEmail ?? event.accountId}
          </Link>
        )
      }
      who={
        <>
          {actor !== null && <span className={classes['actor']}>{actor}</span>}
          <span>{whenceOf(event)}</span>
        </>
      }
    />
  );
}

const KINDS = {
  person: t`Dashboard`,
  key: t`API key`,
  operator: t`Command line`,
  system: t`Automatic`,
} as const;

/** Null when the service itself acted. A person without a user comes from an earlier version. */
const actorOf = ({ actorKind, actorId, actorEmail }: OperatorAuditEvent): string | null =>
  actorKind === 'system' ? null : (actorEmail ?? actorId);

/** The address of the actor. Operators have one only if they used the console. */
function whenceOf({ actorKind, address }: OperatorAuditEvent): string {
  if (address === null) return KINDS[actorKind];
  return `${actorKind === 'operator' ? t`Operator console` : KINDS[actorKind]}, ${address}`;
}
