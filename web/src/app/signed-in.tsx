import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '../api/session/session.js';
import { ErrorState } from '../components/notices/error-state.js';
import { PageSkeleton } from '../components/pages/page-skeleton.js';
import { Shell } from './shell/shell.js';

/** The pages behind the sign-in. Whoever is sent there comes back to where they wanted to go. */
export function SignedIn() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.data?.account === null) {
    const wanted = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/sign-in${wanted}`} replace />;
  }
  return (
    <Shell>
      {session.isPending && <PageSkeleton />}
      {session.isError && <ErrorState error={session.error} onRetry={() => void session.refetch()} />}
      {session.isSuccess && <Outlet />}
    </Shell>
  );
}
