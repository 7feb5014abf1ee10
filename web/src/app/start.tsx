import './styles.js';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from '../api/connection.js';
import { watchOrganization } from '../api/session/organization-change.js';
import { App } from './app.js';
import { reloadWhenOutdated } from './outdated.js';

/** Renders the dashboard into the page, in the active language. */
export function start(root: Element): void {
  watchConnection();
  watchOrganization();
  reloadWhenOutdated();
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <App />
      </I18nProvider>
    </StrictMode>,
  );
}
