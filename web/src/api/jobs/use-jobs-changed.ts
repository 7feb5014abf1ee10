import { useEffect } from 'react';
import { oneAtATime } from '../../lib/async/one-at-a-time.js';
import { listenToJobs } from './jobs-stream.js';

/**
 * Calls back after any job of the account has changed, and after every gap in the stream. Never calls back while the
 * last call is still running. The next call makes up for a failed one.
 */
export function useJobsChanged(onChange: () => void | Promise<void>): void {
  useEffect(() => listenToJobs(oneAtATime(onChange)), [onChange]);
}
