/** Whether PostgreSQL can store a text, also as JSON: it contains no U+0000 and no unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** The text without what PostgreSQL cannot store, such as half of an emoji at the end of a cut line. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '');
}
