import { useSession } from '../../api/session/session.js';
import { NAV_ITEMS, type NavItem } from './nav-items.js';

/** The pages that the user's role permits; all pages until the session is loaded. */
export function useNavItems(): readonly NavItem[] {
  const permissions = useSession().data?.permissions;
  return permissions === undefined
    ? NAV_ITEMS
    : NAV_ITEMS.filter(({ permission }) => permissions.includes(permission));
}
