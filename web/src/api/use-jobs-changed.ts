import { useEffect } from 'react';
import { API_BASE } from './http.js';

type Listener = () => void | Promise<void>;

const listeners = new Set<Listener>();
let source: EventSource | null = null;

/** One connection for the whole page, open while somebody listens; the browser opens it anew when it breaks. */
function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (source === null) {
    source = new EventSource(`${API_BASE}/events`);
    source.addEventListener('jobs', () => listeners.forEach((each) => void each()));
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    source?.close();
    source = null;
  };
}

/** Calls back each time some job of the account has changed, and after every gap in hearing of it. */
export function useJobsChanged(onChange: Listener): void {
  useEffect(() => listen(onChange), [onChange]);
}
