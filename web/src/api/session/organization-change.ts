const CHANNEL = 'organization';

/** Other tabs share the session, so they switch organizations and sign out, too. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

/**
 * Reloads the dashboard after the session has switched to another organization or has ended. Nothing from before
 * remains: no cached responses, no open event stream, and no unfinished form.
 */
export function enterOrganization(path = '/'): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only this origin
  channel?.postMessage(null);
  window.location.assign(path);
}

/** Reloads this tab when another one has switched or ended the session. */
export function watchOrganization(): void {
  channel?.addEventListener('message', () => window.location.reload());
}
