/**
 * Runs `work` for each item, at most `limit` at the same time. After a failure no further one is started.
 * @throws the first failure, once everything that was started has ended
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const open = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const workOnOpen = async (): Promise<void> => {
    for (let next = open.next(); next.done !== true && failure === undefined; next = open.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, workOnOpen));
  if (failure !== undefined) throw failure.error;
}
