/**
 * Processes the items in order, a few at a time. After the first failure, waits for work in progress and starts no
 * more.
 * @param atOnce maximum number of concurrent items
 */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  let failure: { readonly error: unknown } | null = null;
  const one = async () => {
    for (let item = queue.shift(); item !== undefined && failure === null; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, one));
  const found = failure as { readonly error: unknown } | null;
  if (found !== null) throw found.error;
}
