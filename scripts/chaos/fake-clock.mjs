import { existsSync } from 'node:fs';

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`,
);

/** libfaketime, which the Debian package `faketime` brings; `undefined` where it is not installed. */
export const FAKE_CLOCK = LIBRARIES.find((path) => existsSync(path));

/** Variables of a process whose wall clock is off by this many seconds. Its monotonic clock stays right. */
export function clockVariables(offsetSeconds) {
  if (offsetSeconds === 0 || FAKE_CLOCK === undefined) return {};
  const sign = offsetSeconds > 0 ? '+' : '';
  return { LD_PRELOAD: FAKE_CLOCK, FAKETIME: `${sign}${offsetSeconds}s`, DONT_FAKE_MONOTONIC: '1' };
}
