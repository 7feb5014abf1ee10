const STORAGE_KEY = 'reloaded-at';
const PAUSE_MS = 10_000;

/**
 * After an upgrade the parts of the old dashboard are gone from the server; a page that was open then asks for
 * one in vain. Loading the page again brings the new one. Not twice in a row: then it is another fault.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(STORAGE_KEY));
    if (Date.now() - last < PAUSE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
    window.location.reload();
  });
}
