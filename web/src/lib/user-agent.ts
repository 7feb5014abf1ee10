import { t } from '@lingui/core/macro';

/**
 * Each browser with the unique part of its user agent. Most user agents also contain the names of the browsers they
 * derive from.
 */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*\bSafari\//],
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

/** The first product of a program that is not a browser: `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][\w.-]*)\/v?(\d[\w.]*)/;

/**
 * A readable form of a user agent: `Chrome 130 on Linux`, `curl 8.5.0`. Browser versions are reduced to the major
 * version. Unknown user agents stay unchanged.
 */
export function describeUserAgent(userAgent: string): string {
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
  for (const [name, version] of BROWSERS) {
    const number = version.exec(userAgent)?.[1];
    if (number !== undefined) {
      const browser = `${name} ${number}`;
      return system === undefined ? browser : t`${browser} on ${system}`;
    }
  }
  const [, program, version] = PROGRAM.exec(userAgent) ?? [];
  return program === undefined || program === 'Mozilla' ? userAgent : `${program} ${version}`;
}
