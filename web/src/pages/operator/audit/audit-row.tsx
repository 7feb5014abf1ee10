import { t } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import type { OperatorAuditEvent } from '../../../api/operator/schema.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { describeUserAgent } from '../../../lib/user-agent.js';
import { actionText } from '../../activity/action-texts.js';
import { aboutEvent } from '../../activity/event-about.js';
import classes from './audit-page.module.css';

export interface AuditRowProps {
  readonly event: OperatorAuditEvent;
}

/** One event: what happened, in which account, who did it from where, and when. */
export function AuditRow({ event }: AuditRowProps) {
  const about = aboutEvent(event);
  const actor = actorOf(event);
  return (
    <li className={classes['row']} data-warn={event.action === 'sign_in.failed'}>
      <div className={classes['what']}>
        <span className={classes['title']}>{actionText(event)}</span>
        {about !== '' && <span className={classes['about']}>{about}</span>}
      </div>
      <span className={classes['account']}>
        {event.accountId === null ? (
          t`Whole service`
        ) : (
          <Link to={`/operator/audit?account=${event.accountId}`} className={classes['link'] ?? ''}>
            {event.accountEmail ?? event.accountId}
          </Link>
        )}
      </span>
      <div className={classes['who']}>
        {actor !== null && <span className={classes['actor']}>{actor}</span>}
        <span>{whenceOf(event)}</span>
        {event.userAgent !== null && (
          <Tooltip label={event.userAgent} multiline maw={480}>
            <span className={classes['program']}>{describeUserAgent(event.userAgent)}</span>
          </Tooltip>
        )}
      </div>
      <span className={classes['when']}>
        <RelativeTime iso={event.createdAt} />
      </span>
    </li>
  );
}

const KINDS = {
  person: t`Dashboard`,
  key: t`API key`,
  operator: t`Command line`,
  system: t`Automatic`,
} as const;

/** Null when the service itself acted. A person without a user is one of an earlier version. */
const actorOf = ({ actorKind, actorId, actorEmail }: OperatorAuditEvent): string | null =>
  actorKind === 'system' ? null : (actorEmail ?? actorId);

/** Operators have an address only in the console. */
function whenceOf({ actorKind, address }: OperatorAuditEvent): string {
  if (address === null) return KINDS[actorKind];
  return `${actorKind === 'operator' ? t`Operator console` : KINDS[actorKind]}, ${address}`;
}
