import { untilReachable } from '../api/connection.js';

const STORAGE_KEY = 'reloaded-at';
const PAUSE_MS = 10_000;

/**
 * Reloads the page when a part of the dashboard fails to load: either the connection is lost, or an upgrade has
 * replaced the files. Reloading helps in both cases once the service responds. Does not reload twice in a row, because
 * then the cause is different.
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
