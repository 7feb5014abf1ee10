import { Tooltip } from '@mantine/core';
import type { AuditEvent } from '../../api/schema.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { describeUserAgent } from '../../lib/user-agent.js';
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
        <span className={classes['title']}>{event.title}</span>
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

const ACTORS = { person: 'Dashboard', key: 'API key', operator: 'Operator', system: 'Automatic' } as const;

function whoOf({ actor, address }: AuditEvent): string {
  return address === null ? ACTORS[actor.kind] : `${ACTORS[actor.kind]}, ${address}`;
}

const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  scopes: 'scopes',
  expiresAt: 'expiry',
  allowedIps: 'allowed IP addresses',
  url: 'address',
  events: 'events',
  description: 'description',
  metadata: 'metadata',
  enabled: 'enabled',
};

const REASONS: Readonly<Record<string, string>> = {
  manual: 'by its owner',
  gone: 'it answered 410 Gone',
  failing: 'every delivery failed for days',
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
