/** Each browser by the part of its user agent that no other has. Most also name the browsers they descend from. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** The name of a program that is no browser: `curl/8.5.0`. */
const PROGRAM = /^(?!Mozilla\/)([A-Za-z][\w.-]{0,39})\//;

/**
 * The browser and the system of a user agent, without versions, which change with every update: `Firefox (Linux)`, or
 * `curl`. Only names of these lists or a short word, because a stranger chooses the header.
 * @returns null when nothing is recognized
 */
export function deviceDescription(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
  if (browser !== undefined) return system === undefined ? browser : `${browser} (${system})`;
  return PROGRAM.exec(userAgent)?.[1] ?? system ?? null;
}
