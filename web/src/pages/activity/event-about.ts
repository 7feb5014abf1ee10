import { t } from '@lingui/core/macro';
import type { AuditEvent } from '../../api/schema.js';
import { ROLE_LABELS } from '../../lib/role-texts.js';

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
  gone: t`it responded with 410 Gone`,
  failing: t`every delivery failed for days`,
};

type Subject = Pick<AuditEvent, 'details' | 'targetId' | 'targetEmail'>;

/** The subject of the event, as text; empty when the title already contains it. An id only if it has no name. */
export function aboutEvent({ details, targetId, targetEmail }: Subject): string {
  const { name, url, email, role, from, to, changed, reason } = details;
  const subject = [name, url, email, targetEmail, targetId].find((value) => typeof value === 'string');
  const parts = subject === undefined ? [] : [subject];
  if (typeof role === 'string') parts.push(roleText(role));
  if (typeof from === 'string' && typeof to === 'string') parts.push(`${roleText(from)} → ${roleText(to)}`);
  if (typeof reason === 'string') parts.push(REASONS[reason] ?? reason);
  else if (Array.isArray(changed))
    parts.push(changed.map((field) => FIELDS[String(field)] ?? String(field)).join(', '));
  return parts.join(' · ');
}

/** The label of a role. Plans, which also change from one to another, keep their names. */
const roleText = (role: string): string => (ROLE_LABELS as Readonly<Record<string, string>>)[role] ?? role;
