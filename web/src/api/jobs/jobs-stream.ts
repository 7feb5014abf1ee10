import { API_BASE } from '../api-base.js';

type Listener = () => void;

/** How long a page waits before it asks again for a stream that the service had no room for. */
const ASK_AGAIN_MS = 30_000;
/** Switching quickly through tabs does not open a stream in each. */
const SEEN_MS = 300;
/** When the first stream opens, the page has just read everything and still renders it. */
const FIRST_CATCH_UP_MS = 1_000;

const listeners = new Set<Listener>();
/** Called when the stream opens or ends. The service ends it when the session has changed. */
const gapListeners = new Set<Listener>();
let source: EventSource | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let firstCatchUp: ReturnType<typeof setTimeout> | undefined;
let hasOpened = false;

const tell = () => listeners.forEach((each) => each());
const tellGap = () => gapListeners.forEach((each) => each());

/** The service sends an event as soon as the stream is open, so that changes before then are read, too. */
function open(): void {
  const opened = new EventSource(`${API_BASE}/events`);
  // The first stream's first event comes with its opening, and `firstCatchUp` makes up for it.
  let isFirstEvent = !hasOpened;
  opened.addEventListener('open', () => {
    if (hasOpened) return tellGap();
    hasOpened = true;
    // Also the first time: jobs and the session may have changed since the page read them.
    firstCatchUp = setTimeout(() => {
      tellGap();
      tell();
    }, FIRST_CATCH_UP_MS);
  });
  opened.addEventListener('jobs', () => {
    if (!isFirstEvent) tell();
    isFirstEvent = false;
  });
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    tell();
    tellGap();
    timer = setTimeout(open, ASK_AGAIN_MS);
  });
  source = opened;
}

function close(): void {
  clearTimeout(timer);
  clearTimeout(firstCatchUp);
  source?.close();
  source = null;
}

/** Browsers have six connections for all tabs together: a hidden tab must not hold any. */
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
