/** Maximum share of padding in a run; above it, two smaller runs are cheaper. */
const MAX_PADDING = 0.25;

/**
 * The batch sizes of a stage: powers of two and the maximum. There are few, because a GPU is tuned for each of them.
 * @param cap maximum items of one run, at least 1
 * @returns ascending
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
 * Splits items into as few runs as possible without much padding. With the sizes 1, 2, 4, and 8, 7 items make one run
 * of 8 with one padded item, and 5 items make one run of 4 and one of 1.
 * @param sizes ascending
 * @param limit maximum size of a run, one of the sizes
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
    const padded = allowed.find((size) => size >= left && size - left <= size * MAX_PADDING);
    const count = padded === undefined ? allowed.findLast((size) => size <= left)! : left;
    runs.push(items.slice(done, done + count));
    done += count;
  }
  return runs;
}
