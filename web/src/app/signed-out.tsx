import { Navigate, Outlet, useSearchParams } from 'react-router';
import { useSession } from '../api/session/session.js';
import { nextPath } from '../pages/sign-in/next-path.js';

/** The pages for signed-out users. Signed-in users are redirected. */
export function SignedOut() {
  const session = useSession();
  const [parameters] = useSearchParams();
  if (session.data?.account) return <Navigate to={nextPath(parameters)} replace />;
  return <Outlet />;
}
