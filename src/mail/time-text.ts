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

/** A day in UTC, such as "December 1, 2026". */
export function dayText(language: Language, at: Date): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

/** A number with separators, such as "12,500". */
export function numberText(language: Language, value: number): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}
