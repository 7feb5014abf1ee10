/** What a member of an organization may do in the dashboard. */
export const PERMISSIONS = [
  'images:read',
  'images:write',
  'usage:read',
  'keys:read',
  'keys:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'members:read',
  'members:write',
  'plan:request',
  'account:export',
  'account:delete',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What an operator who is signed in as a customer may do: read everything. */
export const READ_PERMISSIONS = PERMISSIONS.filter((permission) => permission.endsWith(':read'));

/** Roles of members, the most powerful first. */
export const ROLES = ['owner', 'admin', 'developer', 'viewer', 'billing'] as const;
export type Role = (typeof ROLES)[number];

const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS.filter(
    (permission) => permission !== 'plan:request' && !permission.startsWith('account:'),
  ),
  developer: [
    'images:read',
    'images:write',
    'usage:read',
    'keys:read',
    'keys:write',
    'webhooks:read',
    'webhooks:write',
    'members:read',
  ],
  viewer: ['images:read', 'usage:read', 'members:read'],
  billing: ['usage:read', 'members:read', 'plan:request'],
};

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS_OF[role];
}

/**
 * What members of an operator's account need the operator role for: webhooks of that account can report on all
 * customers, and API keys can choose such webhooks.
 */
const OF_OPERATORS: ReadonlySet<Permission> = new Set(['keys:write', 'webhooks:read', 'webhooks:write']);

/** The permissions of a member of an operator's account who is not an operator. */
export function permissionsAtOperator(role: Role): readonly Permission[] {
  return PERMISSIONS_OF[role].filter((permission) => !OF_OPERATORS.has(permission));
}

export function isPermitted(role: Role, permission: Permission): boolean {
  return PERMISSIONS_OF[role].includes(permission);
}

/** Whether a member with this role may grant or revoke the role `of` another member. Only owners may change owners. */
export function mayAssign(role: Role, of: Role): boolean {
  return isPermitted(role, 'members:write') && (of !== 'owner' || role === 'owner');
}
