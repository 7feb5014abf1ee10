import { useEffect } from 'react';
import { oneAtATime } from '../../lib/async/one-at-a-time.js';
import { isRepeatable } from '../is-repeatable.js';
import { usePermission } from '../session/use-permission.js';
import { listenToJobs } from './jobs-stream.js';

/** Whether the role permits the stream that reports changes of jobs. Pages of other roles have to poll. */
export function useFollowsJobs(): boolean {
  return usePermission('images:read');
}

/**
 * Calls back after any job of the account has changed, and after every gap in the stream, unless the role may not see
 * jobs. Never calls back while the last call is still running. Calls again if the callback fails with an error that may
 * pass.
 */
export function useJobsChanged(onChange: () => void | Promise<void>): void {
  const isPermitted = useFollowsJobs();
  useEffect(
    () => (isPermitted ? listenToJobs(oneAtATime(onChange, isRepeatable)) : undefined),
    [isPermitted, onChange],
  );
}
