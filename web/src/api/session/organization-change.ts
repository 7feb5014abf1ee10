const CHANNEL = 'organization';

/** Other tabs share the session, so they are in another organization as well. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

/**
 * Loads the dashboard again after the session has moved to another organization. Nothing that was read before remains:
 * no answers, no open event stream, no half-finished form.
 */
export function enterOrganization(path = '/'): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only this origin
  channel?.postMessage(null);
  window.location.assign(path);
}

/** Loads this tab again when another one has moved the session. */
export function watchOrganization(): void {
  channel?.addEventListener('message', () => window.location.reload());
}
