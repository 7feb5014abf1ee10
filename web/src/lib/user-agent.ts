import { t } from '@lingui/core/macro';

/** Each browser by the part of its user agent that no other has. Most also name the browsers they descend from. */
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

/** The first product of a program that is no browser: `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][\w.-]*)\/v?(\d[\w.]*)/;

/**
 * A user agent in words: `Chrome 130 on Linux`, `curl 8.5.0`. Versions of browsers are their first number. What is not
 * recognized stays as it is.
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
