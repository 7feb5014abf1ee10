import { t } from '@lingui/core/macro';
import type { AuditEvent } from '../../api/schema.js';

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

/** The subject of the event, as text; empty when the title already contains it. */
export function aboutEvent({ details, targetId }: Pick<AuditEvent, 'details' | 'targetId'>): string {
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
