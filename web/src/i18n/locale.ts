/**
 * Languages of the dashboard, under their own names. English texts are in the code; the others are files in locales/.
 */
export const LOCALES = { en: 'English', de: 'Deutsch' } as const;

export type Locale = keyof typeof LOCALES;

const STORAGE_KEY = 'language';

function isLocale(value: string): value is Locale {
  return Object.hasOwn(LOCALES, value);
}

/**
 * The chosen language, otherwise the first of the browser's languages that the dashboard supports, otherwise English.
 */
export function preferredLocale(chosen: string | null, browser: readonly string[]): Locale {
  if (chosen !== null && isLocale(chosen)) return chosen;
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLocale) ?? 'en';
}

/** {@link preferredLocale} of this browser. */
export function currentLocale(): Locale {
  return preferredLocale(localStorage.getItem(STORAGE_KEY), navigator.languages);
}

/** Modules read their texts when they load, so changing the language reloads the page. */
export function chooseLocale(locale: Locale): void {
  localStorage.setItem(STORAGE_KEY, locale);
  window.location.reload();
}
