import type { Session } from '../schema.js';
import { useSession } from './session.js';

/** Whether the role of the signed-in user has this permission. The service checks it, too. */
export function usePermission(permission: Session['permissions'][number]): boolean {
  return useSession().data?.permissions.includes(permission) ?? false;
}
