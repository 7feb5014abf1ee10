import { Navigate, Outlet, useSearchParams } from 'react-router';
import { useSession } from '../api/session/session.js';
import { nextPath } from '../lib/next-path.js';

/** The pages before signing in; whoever already is goes on. */
export function SignedOut() {
  const session = useSession();
  const [parameters] = useSearchParams();
  if (session.data?.account) return <Navigate to={nextPath(parameters)} replace />;
  return <Outlet />;
}
