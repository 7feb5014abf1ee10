import type { Session } from '../schema.js';
import { useSession } from './session.js';

/** Whether the role of whoever is signed in allows this. The service checks it as well. */
export function usePermission(permission: Session['permissions'][number]): boolean {
  return useSession().data?.permissions.includes(permission) ?? false;
}
