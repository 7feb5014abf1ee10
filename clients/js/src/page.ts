/** A list response of the service. */
export interface ListAnswer<T> {
  readonly data: T[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

/** One page of a list. */
export class Page<T> implements ListAnswer<T> {
  readonly data: T[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;

  constructor(
    answer: ListAnswer<T>,
    private readonly read: (cursor: string) => Promise<Page<T>>,
  ) {
    this.data = answer.data;
    this.hasMore = answer.hasMore;
    this.nextCursor = answer.nextCursor;
  }

  /** The page after this one; null when this is the last. */
  async next(): Promise<Page<T> | null> {
    return this.nextCursor === null ? null : this.read(this.nextCursor);
  }
}

/**
 * A list. `await` returns its first page, and `for await` iterates over all items, page by page. No request is sent
 * before that.
 */
export class List<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  /** @param read reads the page at a cursor; undefined means the first page */
  constructor(private readonly read: (cursor: string | undefined) => Promise<ListAnswer<T>>) {}

  // eslint-disable-next-line unicorn/no-thenable -- being awaited is what it is for
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page(undefined).then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    let page: Page<T> | null = await this.page(undefined);
    while (page !== null) {
      yield* page.data;
      page = await page.next();
    }
  }

  /** All items in one array. */
  async all(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  private async page(cursor: string | undefined): Promise<Page<T>> {
    return new Page(await this.read(cursor), (next) => this.page(next));
  }
}
