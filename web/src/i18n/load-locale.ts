import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Locale } from './locale.js';

/** Loads and activates the texts of a language. Call this before importing a module with texts. */
export async function loadLocale(locale: Locale): Promise<void> {
  // English texts stay uncompiled in the code, so they are compiled when they are shown.
  i18n.setMessagesCompiler(compileMessage);
  const { messages } = locale === 'de' ? await import('../locales/de.po') : { messages: {} };
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}
