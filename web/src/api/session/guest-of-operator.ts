import type { Session } from '../schema.js';

/**
 * Whether the user is a member of an operator's account without the operator role. Every role that sees API keys also
 * sees webhooks, except there.
 */
export function isGuestOfOperator({ permissions }: Pick<Session, 'permissions'>): boolean {
  return permissions.includes('keys:read') && !permissions.includes('webhooks:read');
}
