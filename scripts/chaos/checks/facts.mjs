/**
 * Prepares a history for the checks.
 * @param {readonly object[]} entries of `readHistory`
 */
export function factsOf(entries) {
  const ops = entries.filter(({ kind }) => kind === 'op');
  const acknowledged = ops.filter(({ phase }) => phase === 'ok');
  return {
    ops,
    acknowledged,
    processes: entries.filter(({ kind }) => kind === 'process'),
    received: entries.filter(({ kind }) => kind === 'received'),
    recoveries: entries.filter(({ kind }) => kind === 'recovery'),
    faults: entries.filter(({ kind }) => kind === 'fault'),
    final: entries.find(({ kind }) => kind === 'final'),
  };
}

/** Groups the entries by a key. @returns {Map<string, any[]>} */
export function grouped(list, keyOf) {
  const groups = new Map();
  for (const each of list) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

/** Sums a number by a key. @returns {Map<string, number>} */
export function summed(list, keyOf, valueOf) {
  const sums = new Map();
  for (const each of list) sums.set(keyOf(each), (sums.get(keyOf(each)) ?? 0) + valueOf(each));
  return sums;
}

/** The texts in alphabetical order, joined. */
export function listed(texts) {
  return texts.toSorted((left, right) => left.localeCompare(right)).join(', ');
}
