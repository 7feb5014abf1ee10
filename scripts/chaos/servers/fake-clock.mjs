import { existsSync } from 'node:fs';

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`,
);

/** System packages for clock faults, for `ensureSystemPackages`. */
export const FAKE_CLOCK_NEEDS = [{ binary: 'libfaketime', files: LIBRARIES, package: 'faketime' }];

/** The path of libfaketime; `undefined` where it is not installed. */
export function fakeClock() {
  return LIBRARIES.find((path) => existsSync(path));
}

/** Environment of a process whose wall clock is off by this many seconds. Its monotonic clock stays correct. */
export function clockVariables(offsetSeconds) {
  const library = fakeClock();
  if (offsetSeconds === 0 || library === undefined) return {};
  const sign = offsetSeconds > 0 ? '+' : '';
  return { LD_PRELOAD: library, FAKETIME: `${sign}${offsetSeconds}s`, DONT_FAKE_MONOTONIC: '1' };
}
