/** A target for a measured number, in its own unit: a description, and a check. */
export const atMost = (limit) => ({ target: `at most ${limit}`, keeps: (value) => value <= limit });
export const atLeast = (limit) => ({ target: `at least ${limit}`, keeps: (value) => value >= limit });
export const under = (limit) => ({ target: `under ${limit}`, keeps: (value) => value < limit });

/** A measured number with the result of its check. */
export function judge(value, { target, keeps }) {
  return { value, target, isMet: keeps(value) };
}

/** `at most 1: yes`; empty without a target. */
export function verdict({ target, isMet }) {
  return target === undefined ? '' : `${target}: ${isMet ? 'yes' : 'NO'}`;
}
