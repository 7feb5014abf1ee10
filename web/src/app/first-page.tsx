import { Navigate } from 'react-router';
import { useNavItems } from './shell/use-nav-items.js';

/** Redirects to the first page that the role permits. */
export function FirstPage() {
  const [first] = useNavItems();
  return <Navigate to={first?.path ?? '/account'} replace />;
}
