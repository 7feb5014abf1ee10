import './styles.js';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from '../api/connection.js';
import { watchOrganization } from '../api/session/organization-change.js';
import { SESSION_KEY, sessionQueryFrom } from '../api/session/session.js';
import { App } from './app.js';
import { reloadWhenOutdated } from './outdated.js';
import { reloadWhenRestored } from './restored.js';
import { createQueryClient } from './query-client.js';
import { createRouter, untilFirstPage } from './router.js';

/** If reading the session takes longer, the frame of the page is rendered without it. */
const SESSION_WAIT_MS = 1_000;

/**
 * Renders the dashboard into the page, in the active language. The content of `index.html` stays until the first page
 * has loaded and the session was read, so that everything is rendered once (decision 0360).
 * @param session the return value of `askForSession`
 */
export async function start(root: Element, session: Promise<Response | null>): Promise<void> {
  watchConnection();
  watchOrganization();
  reloadWhenOutdated();
  reloadWhenRestored();
  const router = createRouter();
  const queryClient = createQueryClient(() => void queryClient.invalidateQueries({ queryKey: SESSION_KEY }));
  const waited = new Promise((resolve) => setTimeout(resolve, SESSION_WAIT_MS));
  await Promise.all([
    untilFirstPage(router),
    Promise.race([queryClient.prefetchQuery(sessionQueryFrom(session)), waited]),
  ]);
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <App router={router} queryClient={queryClient} />
      </I18nProvider>
    </StrictMode>,
  );
}
