import type { Language } from './language.js';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };

/** A time for readers anywhere, such as "November 25, 2026 at 3:04 PM UTC". */
export function timeText(language: Language, at: Date): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
    .format(at)
    .concat(' UTC');
}
