/**
 * Matches a string, or a character that starts or separates members. An unterminated string extends to the end of the
 * text; otherwise, the match would be retried at each quote.
 */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[,[{]/gs;

/**
 * Whether a JSON text has more than `limit` members and elements. Checked before parsing, because a wide object takes
 * far more memory than its text. Takes linear time and stops at the limit. For invalid JSON, the count may be wrong.
 */
export function hasMoreMembers(text: string, limit: number): boolean {
  let separators = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.length === 1) separators += 1;
    if (separators > limit) return true;
  }
  return false;
}
