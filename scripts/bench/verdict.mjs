/** What is promised of a measured number, in its own unit: words for it, and whether a number keeps it. */
export const atMost = (limit) => ({ target: `at most ${limit}`, keeps: (value) => value <= limit });
export const atLeast = (limit) => ({ target: `at least ${limit}`, keeps: (value) => value >= limit });
export const under = (limit) => ({ target: `under ${limit}`, keeps: (value) => value < limit });

/** A measured number beside its promise. */
export function judge(value, { target, keeps }) {
  return { value, target, isMet: keeps(value) };
}

/** `at most 1: yes`; empty where nothing was promised. */
export function verdict({ target, isMet }) {
  return target === undefined ? '' : `${target}: ${isMet ? 'yes' : 'NO'}`;
}
