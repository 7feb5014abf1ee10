const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Whether a JSON text has more than `limit` members and elements. Checked before parsing, because a wide object takes
 * far more memory than its text. Takes linear time and no memory, and stops at the limit. For invalid JSON, the count
 * may be wrong.
 */
export function hasMoreMembers(text: string, limit: number): boolean {
  let separators = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) separators += 1;
    if (separators > limit) return true;
  }
  return false;
}

/** The position of the closing quote. An unterminated string extends to the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
