import { describe, expect, it } from 'vitest';
import { type Permission, permissionsAtOperator, permissionsOf, READ_PERMISSIONS, ROLES } from './roles.js';

/** How the dashboard recognizes a member of an operator's account who is not an operator. */
const isGuest = (permissions: readonly Permission[]) =>
  permissions.includes('keys:read') && !permissions.includes('webhooks:read');

describe('permissions', () => {
  it('to see API keys without webhooks exist only in the account of an operator', () => {
    expect([...ROLES.map(permissionsOf), READ_PERMISSIONS].filter(isGuest)).toEqual([]);
    expect(ROLES.filter((role) => isGuest(permissionsAtOperator(role)))).toEqual(
      ROLES.filter((role) => permissionsOf(role).includes('keys:read')),
    );
  });
});
