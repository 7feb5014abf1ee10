/**
 * A string, which hides what is in it, or a character that begins or separates members. A string that does not end
 * goes to the end of the text: an expression that did not match there would be tried again at each of its quotes.
 */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[,[{]/gs;

/**
 * Whether a JSON text has more members and elements than this, counted before it is parsed: what is made of a wide
 * object costs far more than its text. Takes time in proportion to the text, and stops at the limit. A text that is
 * not JSON may be counted wrong.
 */
export function hasMoreMembers(text: string, limit: number): boolean {
  let separators = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.length === 1) separators += 1;
    if (separators > limit) return true;
  }
  return false;
}
