import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Locale } from './locale.js';

/** Loads the texts of a language and makes it the one of the page. Call it before a module with texts is imported. */
export async function loadLocale(locale: Locale): Promise<void> {
  // English stays in the code as it was written, so it is compiled when it is shown.
  i18n.setMessagesCompiler(compileMessage);
  const { messages } = locale === 'de' ? await import('../locales/de.po') : { messages: {} };
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}
