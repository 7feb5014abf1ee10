/** Languages that emails are written in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The language of a request from its `Accept-Language` header (RFC 9110, 12.5.4); English when it names no supported
 * one.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const quality = parameters
      .map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1])
      .find((q) => q !== undefined);
    return { tag: tag.toLowerCase().split('-', 1)[0]!, weight: quality === undefined ? 1 : Number(quality) };
  });
  const best = wanted.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return best.map(({ tag }) => LANGUAGES.find((language) => language === tag)).find((found) => found) ?? 'en';
}
