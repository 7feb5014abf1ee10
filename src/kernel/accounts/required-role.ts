import { AppError } from '../app-error.js';
import { isPermitted, mayAssign, type Permission, type Role } from './roles.js';

/**
 * @param role of the user in the organization; undefined for a user who is no longer a member
 * @throws AppError `insufficient_role`
 */
export function requirePermission(role: Role | undefined, permission: Permission): asserts role is Role {
  if (role !== undefined && isPermitted(role, permission)) return;
  const detail =
    role === undefined
      ? 'You are no longer a member of this organization. Nothing was changed.'
      : `This requires the permission ${permission}, which the role ${role} does not have. Nothing was changed.`;
  throw new AppError('insufficient_role', {
    detail,
    extensions: { requiredPermission: permission, ...(role !== undefined && { role }) },
  });
}

/** @param of the role to grant or revoke. @throws AppError `insufficient_role` */
export function requireAssignable(role: Role, of: Role): void {
  if (mayAssign(role, of)) return;
  throw new AppError('insufficient_role', {
    detail: 'Only an owner can change who is an owner. Nothing was changed.',
  });
}
