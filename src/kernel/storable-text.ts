/** Whether PostgreSQL can store a text, also as JSON: it contains no U+0000 and no unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}
