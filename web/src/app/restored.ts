/**
 * Reloads a page that the browser restored from its back/forward cache. It shows data of the user who left it, who may
 * have signed out since.
 */
export function reloadWhenRestored(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload();
  });
}
