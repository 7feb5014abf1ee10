/** A target for a measured number, in its own unit: a description, and a check. */
export const atMost = (limit) => ({ target: `at most ${limit}`, keeps: (value) => value <= limit });
export const atLeast = (limit) => ({ target: `at least ${limit}`, keeps: (value) => value >= limit });
export const under = (limit) => ({ target: `under ${limit}`, keeps: (value) => value < limit });

/** A measured number with the result of its check. */
export function judge(value, { target, keeps }) {
  return { value, target, isMet: keeps(value) };
}

/** A row of a table: a measured number in its unit, judged if it has a target. */
export function measured(what, value, unit, target) {
  return { what, unit, ...(target === undefined ? { value } : judge(value, target)) };
}

/** Whether the results of a benchmark contain a judged number that misses its target. */
export function missesTarget(results) {
  if (typeof results !== 'object' || results === null) return false;
  return results.isMet === false || Object.values(results).some(missesTarget);
}

/** ` (at most 1: yes)`; empty without a target. */
export function remark(judged) {
  return judged.target === undefined ? '' : ` (${verdict(judged)})`;
}

/** `at most 1: yes`; empty without a target. */
export function verdict({ target, isMet }) {
  return target === undefined ? '' : `${target}: ${isMet ? 'yes' : 'NO'}`;
}
