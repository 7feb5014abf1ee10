import { useEffect } from 'react';
import { oneAtATime } from '../../lib/async/one-at-a-time.js';
import { isRepeatable } from '../is-repeatable.js';
import { listenToJobs } from './jobs-stream.js';

/**
 * Calls back after any job of the account has changed, and after every gap in the stream. Never calls back while the
 * last call is still running. Calls again if the callback fails with an error that may pass.
 */
export function useJobsChanged(onChange: () => void | Promise<void>): void {
  useEffect(() => listenToJobs(oneAtATime(onChange, isRepeatable)), [onChange]);
}
