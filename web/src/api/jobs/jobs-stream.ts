import { API_BASE } from '../session/session-fetch.js';

type Listener = () => void;

/** A page that the service has no room to tell looks by itself, and asks for room again, after this long. */
const ASK_AGAIN_MS = 30_000;
/** Whoever leafs through open tabs shall not open a connection in each. */
const SEEN_MS = 300;

const listeners = new Set<Listener>();
/** Called when the stream opens or ends. The service ends it when the session has changed. */
const gapListeners = new Set<Listener>();
let source: EventSource | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

const tell = () => listeners.forEach((each) => each());

/** The service tells of a change as soon as it has opened: what was missed before is made up for. */
function open(): void {
  const opened = new EventSource(`${API_BASE}/events`);
  // Also the first time: the session may have changed since the page read it.
  opened.addEventListener('open', () => gapListeners.forEach((each) => each()));
  opened.addEventListener('jobs', tell);
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    tell();
    gapListeners.forEach((each) => each());
    timer = setTimeout(open, ASK_AGAIN_MS);
  });
  source = opened;
}

function close(): void {
  clearTimeout(timer);
  source?.close();
  source = null;
}

/** Browsers have six connections for all tabs together: one that nobody sees must not hold any. */
function onVisibilityChange(): void {
  if (document.hidden) return close();
  if (source !== null) return;
  clearTimeout(timer);
  timer = setTimeout(open, SEEN_MS);
}

/**
 * Calls back each time some job of the account has changed, and after every gap in hearing of it. One connection for
 * the whole page, open while somebody listens and the page is seen; the browser opens it anew when it breaks.
 * @returns what ends the listening
 */
export function listenToJobs(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', onVisibilityChange);
    if (!document.hidden) open();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', onVisibilityChange);
    close();
  };
}

/** Calls back after each time in which nothing was heard, such as before the stream opens. @returns what ends it */
export function listenToGaps(listener: Listener): () => void {
  gapListeners.add(listener);
  return () => void gapListeners.delete(listener);
}
