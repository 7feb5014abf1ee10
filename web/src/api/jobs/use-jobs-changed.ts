import { useEffect } from 'react';
import { oneAtATime } from '../../lib/async/one-at-a-time.js';
import { listenToJobs } from './jobs-stream.js';

/**
 * Calls back each time some job of the account has changed, and after every gap in hearing of it; never while the
 * last call is still at work. A call that fails is made up for by the next one.
 */
export function useJobsChanged(onChange: () => void | Promise<void>): void {
  useEffect(() => listenToJobs(oneAtATime(onChange)), [onChange]);
}
