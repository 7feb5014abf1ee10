import type { Role } from '../../api/members/members.js';
import { ROLES } from '../../lib/role-texts.js';

/** The roles that a member may grant and revoke. The service enforces this, too. */
export function grantableRoles(role: Role | null | undefined): readonly Role[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.filter((granted) => granted !== 'owner') : [];
}
