/** Once padding would be more than this part of a run, two smaller runs are cheaper. */
const MOST_PADDING = 0.25;

/**
 * The batch sizes a stage may run with: powers of two and the cap itself. Few, because a GPU is tuned anew for each.
 * @param cap most items of one run, at least 1
 * @returns rising
 */
export function batchSizes(cap: number): readonly number[] {
  const sizes: number[] = [];
  for (let size = 1; size < cap; size *= 2) sizes.push(size);
  return [...sizes, cap];
}

/** The smallest size that holds `count` items. @throws RangeError when there is none */
export function sizeFor(count: number, sizes: readonly number[]): number {
  const size = sizes.find((candidate) => candidate >= count);
  if (count < 1 || size === undefined)
    throw new RangeError(`a batch of ${count} is outside 1..${sizes.at(-1)}`);
  return size;
}

/**
 * Cuts what waits into runs: as few as can be without much padding. Of 7 items and the sizes 1, 2, 4, 8 one run of
 * 8 with one place empty; of 5 items one of 4 and one of 1.
 * @param sizes rising
 * @param limit no run larger than this, which is one of the sizes
 */
export function splitIntoRuns<Item>(
  items: readonly Item[],
  sizes: readonly number[],
  limit: number,
): readonly (readonly Item[])[] {
  const allowed = sizes.filter((size) => size <= limit);
  const runs: (readonly Item[])[] = [];
  let done = 0;
  while (done < items.length) {
    const left = items.length - done;
    const padded = allowed.find((size) => size >= left && size - left <= size * MOST_PADDING);
    const count = padded === undefined ? allowed.findLast((size) => size <= left)! : left;
    runs.push(items.slice(done, done + count));
    done += count;
  }
  return runs;
}
