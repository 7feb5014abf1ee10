/** The color names of HTML 4, which are the ones that clients use most. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['black', '#000000'],
  ['silver', '#c0c0c0'],
  ['gray', '#808080'],
  ['white', '#ffffff'],
  ['maroon', '#800000'],
  ['red', '#ff0000'],
  ['purple', '#800080'],
  ['fuchsia', '#ff00ff'],
  ['green', '#008000'],
  ['lime', '#00ff00'],
  ['olive', '#808000'],
  ['yellow', '#ffff00'],
  ['navy', '#000080'],
  ['blue', '#0000ff'],
  ['teal', '#008080'],
  ['aqua', '#00ffff'],
  ['orange', '#ffa500'],
]);

/**
 * Parses an opaque color as `#rrggbb`, or a fully transparent one as null.
 * @param text a name, or hex digits of RGB or RGBA with or without `#`
 * @returns undefined for text that is not a color, and for partly transparent colors
 */
export function opaqueColor(text: string): string | null | undefined {
  const named = NAMES.get(text.trim().toLowerCase());
  if (named !== undefined) return named;
  if (text.trim().toLowerCase() === 'transparent') return null;
  const [, digits] = /^#?([0-9a-f]{3,8})$/i.exec(text.trim()) ?? [];
  if (digits === undefined || ![3, 4, 6, 8].includes(digits.length)) return undefined;
  const long = digits.length < 6 ? digits.replaceAll(/./g, '$&$&') : digits;
  const alpha = long.slice(6).toLowerCase() || 'ff';
  if (alpha === '00') return null;
  return alpha === 'ff' ? `#${long.slice(0, 6).toLowerCase()}` : undefined;
}

/** Like `opaqueColor`, for `r,g,b` or `r,g,b,a`, each from 0 to 255. */
export function opaqueColorOfNumbers(text: string): string | null | undefined {
  const numbers = text.split(',').map((part) => (/^\s*\d{1,3}\s*$/.test(part) ? Number(part) : 256));
  if (![3, 4].includes(numbers.length) || numbers.some((number) => number > 255)) return undefined;
  return opaqueColor(numbers.map((number) => number.toString(16).padStart(2, '0')).join(''));
}
