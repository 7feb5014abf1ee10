import { untilReachable } from '../api/connection.js';

const STORAGE_KEY = 'reloaded-at';
const PAUSE_MS = 10_000;

/**
 * A part of the dashboard does not load when the connection is lost, or when an upgrade has replaced it. Once the
 * service answers, loading the page again helps in both cases. Not twice in a row: then it is another fault.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', () => void reloadOnceReachable());
}

async function reloadOnceReachable(): Promise<void> {
  await untilReachable();
  const last = Number(sessionStorage.getItem(STORAGE_KEY));
  if (Date.now() - last < PAUSE_MS) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}
