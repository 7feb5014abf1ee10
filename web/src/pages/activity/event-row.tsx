import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEvent } from '../../api/schema.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { describeUserAgent } from '../../lib/user-agent.js';
import { actionText } from './action-texts.js';
import { aboutEvent } from './event-about.js';
import classes from './event-row.module.css';

export interface EventRowProps {
  readonly event: Pick<
    AuditEvent,
    'action' | 'title' | 'details' | 'targetId' | 'targetEmail' | 'userAgent' | 'createdAt'
  >;
  /** The account of the event, in lists of several accounts. */
  readonly account?: ReactNode;
  /** The actor and the address: a `span` for each. */
  readonly who: ReactNode;
}

/** One event: what happened to what, the actor and the address, and the time. */
export function EventRow({ event, account, who }: EventRowProps) {
  const about = aboutEvent(event);
  return (
    <li
      className={classes['row']}
      data-warn={event.action === 'sign_in.failed'}
      data-account={account !== undefined}
    >
      <div className={classes['what']}>
        <span className={classes['title']}>{actionText(event)}</span>
        {about !== '' && <span className={classes['about']}>{about}</span>}
      </div>
      {account !== undefined && <span className={classes['account']}>{account}</span>}
      <div className={classes['who']}>
        {who}
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
