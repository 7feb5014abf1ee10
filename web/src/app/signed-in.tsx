import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { listenToGaps } from '../api/jobs/jobs-stream.js';
import { forgetUser } from '../api/session/session-actions.js';
import { SESSION_KEY, useSession } from '../api/session/session.js';
import { ErrorState } from '../components/notices/error-state.js';
import { PageSkeleton } from '../components/pages/page-skeleton.js';
import { PageAccess } from './page-access.js';
import { Shell } from './shell/shell.js';

/** The pages that require a session. After signing in, users return to the page that they requested. */
export function SignedIn() {
  const session = useSession();
  const client = useQueryClient();
  useEffect(() => listenToGaps(() => void client.invalidateQueries({ queryKey: SESSION_KEY })), [client]);
  const isSignedOut = session.data?.account === null;
  // Another tab may have signed out, or the session has ended.
  useEffect(() => {
    if (isSignedOut) forgetUser(client);
  }, [client, isSignedOut]);
  const { pathname, search } = useLocation();
  if (isSignedOut) {
    const wanted = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/sign-in${wanted}`} replace />;
  }
  return (
    <Shell>
      {session.isPending && <PageSkeleton />}
      {session.isLoadingError && <ErrorState error={session.error} onRetry={() => void session.refetch()} />}
      {/* The page stays rendered when a refresh fails: it may be uploading, or showing a secret only once. */}
      {session.data !== undefined && (
        <PageAccess session={session.data}>
          <Outlet />
        </PageAccess>
      )}
    </Shell>
  );
}
