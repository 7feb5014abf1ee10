import { t } from '@lingui/core/macro';
import type { AuditEvent } from '../../api/schema.js';
import { EventRow } from './event-row.js';

export interface ActivityRowProps {
  readonly event: AuditEvent;
}

/** One event of the account. */
export function ActivityRow({ event }: ActivityRowProps) {
  return <EventRow event={event} who={<span>{whoOf(event)}</span>} />;
}

const ACTORS = {
  person: t`Dashboard`,
  key: t`API key`,
  operator: t`Operator`,
  system: t`Automatic`,
} as const;

function whoOf({ actor, address }: AuditEvent): string {
  const name = actor.email ?? ACTORS[actor.kind];
  return address === null ? name : `${name}, ${address}`;
}
