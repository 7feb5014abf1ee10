import './styles.js';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from '../api/connection.js';
import { App } from './app.js';
import { reloadWhenOutdated } from './outdated.js';

/** Draws the dashboard into the page, in the language that is active. */
export function start(root: Element): void {
  watchConnection();
  reloadWhenOutdated();
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <App />
      </I18nProvider>
    </StrictMode>,
  );
}
