import { t } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import type { AuditEvent } from '../../api/schema.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { describeUserAgent } from '../../lib/user-agent.js';
import { actionText } from './action-texts.js';
import classes from './activity-page.module.css';

export interface ActivityRowProps {
  readonly event: AuditEvent;
}

/** One event: what happened to what, who did it from where, and when. */
export function ActivityRow({ event }: ActivityRowProps) {
  const about = aboutOf(event);
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

const FIELDS: Readonly<Record<string, string>> = {
  name: t`name`,
  scopes: t`scopes`,
  expiresAt: t`expiry`,
  allowedIps: t`allowed IP addresses`,
  url: t`address`,
  events: t`events`,
  description: t`description`,
  metadata: t`metadata`,
  enabled: t`enabled`,
};

const REASONS: Readonly<Record<string, string>> = {
  manual: t`by its owner`,
  operator: t`by an operator`,
  gone: t`it answered 410 Gone`,
  failing: t`every delivery failed for days`,
};

/** What the event is about, in words; empty when the title says it all. */
function aboutOf({ details, targetId }: AuditEvent): string {
  const { name, url, from, to, changed, reason } = details;
  const parts: string[] = [];
  if (typeof name === 'string') parts.push(name);
  else if (typeof url === 'string') parts.push(url);
  else if (targetId !== null) parts.push(targetId);
  if (typeof from === 'string' && typeof to === 'string') parts.push(`${from} → ${to}`);
  if (typeof reason === 'string') parts.push(REASONS[reason] ?? reason);
  else if (Array.isArray(changed))
    parts.push(changed.map((field) => FIELDS[String(field)] ?? String(field)).join(', '));
  return parts.join(' · ');
}
