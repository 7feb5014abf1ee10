import { useEffect } from 'react';
import { oneAtATime } from '../lib/one-at-a-time.js';
import { API_BASE } from './http.js';

type Listener = () => void;

/** A page that the service has no room to tell looks by itself, and asks for room again, after this long. */
const LOOK_AGAIN_MS = 30_000;

const listeners = new Set<Listener>();
let source: EventSource | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function open(): void {
  const opened = new EventSource(`${API_BASE}/events`);
  opened.addEventListener('jobs', () => listeners.forEach((each) => each()));
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    timer = setTimeout(() => {
      listeners.forEach((each) => each());
      open();
    }, LOOK_AGAIN_MS);
  });
  source = opened;
}

/** One connection for the whole page, open while somebody listens; the browser opens it anew when it breaks. */
function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (source === null) open();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    source?.close();
    source = null;
  };
}

/**
 * Calls back each time some job of the account has changed, and after every gap in hearing of it; never while the
 * last call is still at work. A call that fails is made up for by the next one.
 */
export function useJobsChanged(onChange: () => void | Promise<void>): void {
  useEffect(() => listen(oneAtATime(onChange)), [onChange]);
}
