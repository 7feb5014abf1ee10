/**
 * Matches a string, or a character that starts or separates members. An unterminated string extends to the
 * end of the text, because a failed match would be retried at each quote.
 */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[,[{]/gs;

/**
 * Whether a JSON text has more members and elements than `max`. Checked before parsing, because a wide object
 * costs far more memory than its text. Linear time; stops at the limit. Invalid JSON may be counted
 * incorrectly.
 */
export function hasMoreMembers(text: string, limit: number): boolean {
  let separators = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.length === 1) separators += 1;
    if (separators > limit) return true;
  }
  return false;
}
