/**
 * A seeded pseudorandom number generator (mulberry32), so that a seed identifies one schedule of faults.
 * @param {number} seed whole number
 * @param {string} [stream] name of an independent sequence of the same seed
 */
export function seededRandom(seed, stream = '') {
  let state = seed >>> 0;
  for (const character of stream) state = (Math.imul(state ^ character.codePointAt(0), 0x01000193) + 1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** A number from 0 up to, but not including, 1. */
    next,
    /** A whole number in the range, including both ends. */
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** True with the given probability. */
    chance: (probability) => next() < probability,
  };
}
