import { t } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import type { AuditEvent } from '../../api/schema.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { describeUserAgent } from '../../lib/user-agent.js';
import { actionText } from './action-texts.js';
import { aboutEvent } from './event-about.js';
import classes from './activity-page.module.css';

export interface ActivityRowProps {
  readonly event: AuditEvent;
}

/** One event: what happened to what, who did it from where, and when. */
export function ActivityRow({ event }: ActivityRowProps) {
  const about = aboutEvent(event);
  return (
    <li className={classes['row']} data-warn={event.action === 'sign_in.failed'}>
      <div className={classes['what']}>
        <span className={classes['title']}>{actionText(event)}</span>
        {about !== '' && <span className={classes['about']}>{about}</span>}
      </div>
      <div className={classes['who']}>
        <span>{whoOf(event)}</span>
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

const ACTORS = {
  person: t`Dashboard`,
  key: t`API key`,
  operator: t`Operator`,
  system: t`Automatic`,
} as const;

function whoOf({ actor, address }: AuditEvent): string {
  return address === null ? ACTORS[actor.kind] : `${ACTORS[actor.kind]}, ${address}`;
}
