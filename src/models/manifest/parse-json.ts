/** White space, then one token of JSON. */
const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  // oxlint-disable-next-line no-control-regex -- JSON forbids them in strings
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may follow. */
type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

/**
 * Parses JSON that people write by hand.
 * @throws SyntaxError that names line and column, as editors count them, which the runtime's message may lack
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const before = text.slice(0, faultOffset(text)).split(/\r\n|\r|\n/);
    const fault = (error as SyntaxError).message
      .replace(/ (?:in JSON )?at position .*$/s, '')
      .replace(/, .* is not valid JSON$/s, '');
    throw new SyntaxError(`line ${before.length}, column ${before.at(-1)!.length + 1}: ${fault}`, {
      cause: error,
    });
  }
}

/** Where text stops being JSON. */
function faultOffset(text: string): number {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  for (let at = 0; ;) {
    at += matchAt(SPACE, text, at).length;
    const token = matchAt(TOKEN, text, at);
    const next = following(wanted, token, open);
    if (next === undefined) return at;
    wanted = next;
    at += token.length;
  }
}

/** The empty text where there is no match. */
function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/**
 * What may follow a token. Undefined when the token is not allowed.
 * @param open the brackets that are open, which this function changes
 */
function following(wanted: Wanted, token: string, open: string[]): Wanted | undefined {
  if (token === '') return undefined;
  if (wanted === ':') return token === ':' ? 'value' : undefined;
  const opener = open.at(-1);
  const closer = opener === '{' ? '}' : ']';
  if (opener !== undefined && token === closer && wanted !== 'value' && wanted !== 'key') {
    open.pop();
    return ', or end';
  }
  if (wanted === ', or end')
    return opener === undefined || token !== ',' ? undefined : opener === '{' ? 'key' : 'value';
  if (wanted === 'key' || wanted === 'key or }') return token.startsWith('"') ? ':' : undefined;
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'key or }' : 'value or ]';
  }
  return /^[}\],:]$/.test(token) ? undefined : ', or end';
}
