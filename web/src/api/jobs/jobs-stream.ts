import { API_BASE } from '../api-base.js';

type Listener = () => void;

/** Wait before reconnecting when the service had no capacity for another stream. */
const ASK_AGAIN_MS = 30_000;
/**
 * Time that a tab must be visible before it opens a stream, so that switching quickly through tabs does not open one in
 * each.
 */
const SEEN_MS = 300;
/** When the first stream opens, the page has just read everything and is still rendering. */
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

/** The service sends an event as soon as the stream is open, so that earlier changes are read, too. */
function open(): void {
  const opened = new EventSource(`${API_BASE}/events`);
  // The first event of the first stream comes when it opens. `firstCatchUp` replaces it.
  let isFirstEvent = !hasOpened;
  opened.addEventListener('open', () => {
    if (hasOpened) return tellGap();
    hasOpened = true;
    // Needed the first time, too: jobs and the session may have changed since the page read them.
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

/** Browsers allow six connections for all tabs together, so a hidden tab must not hold one. */
function onVisibilityChange(): void {
  if (document.hidden) return close();
  if (source !== null) return;
  clearTimeout(timer);
  timer = setTimeout(open, SEEN_MS);
}

/**
 * Calls back after any job of the account has changed, and after every gap in the stream. All listeners share one
 * connection, which is open while there are listeners and the page is visible. The browser reconnects it when it
 * breaks.
 * @returns a function that stops listening
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

/** Calls the listeners after a lost connection. The stream may have stayed open, but reads after its events failed. */
export function tellLostConnection(): void {
  tell();
}

/** Calls the listeners after a change that this page made, unless the stream is open, which reports it itself. */
export function tellOwnChange(): void {
  if (source?.readyState !== EventSource.OPEN) tell();
}

/**
 * Calls back after each gap in the stream, including the time before it opens.
 * @returns a function that stops listening
 */
export function listenToGaps(listener: Listener): () => void {
  gapListeners.add(listener);
  return () => void gapListeners.delete(listener);
}
