import { type InfiniteQueryObserverOptions, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Page } from './client.js';
import type { Pages } from './merge-newest.js';
import { removeItems } from './remove-items.js';
import { listRenewal, nextReading } from './renew-list.js';

interface Item {
  readonly id: string;
  readonly isOpen: boolean;
}

const KEY = ['items'];
const SIZE = 2;
const isOpen = (item: Item): boolean => item.isOpen;
const item = (id: string): Item => ({ id: id.slice(0, 1), isOpen: id.endsWith('?') });

/** A page of the ids. Items that end with a question mark are open. */
const page = (ids: string, nextCursor: string | null): Page<Item> => ({
  data: ids.split(' ').map(item),
  hasMore: nextCursor !== null,
  nextCursor,
});

describe('nextReading', () => {
  const list = (...ids: string[]): Pages<Item> => ({
    pages: ids.map((each, index) => page(each, `c${index + 1}`)),
    pageParams: ids.map((_each, index) => (index === 0 ? null : `c${index}`)),
  });

  it('is the first older page with an open item', () => {
    const data = list('9? 8?', '7 6', '5 4?', '3? 2');
    expect(nextReading(data, page('9 8', 'x'), isOpen)).toEqual({ cursor: 'c2', aboveId: '6' });
    expect(nextReading(data, page('5 4', 'x'), isOpen)).toEqual({ cursor: 'c3', aboveId: '4' });
    expect(nextReading(data, page('3 2', 'x'), isOpen)).toBeNull();
  });

  it('continues where the last page ended, within a page that has grown', () => {
    const data = list('9 8 7 6?', '5 4');
    expect(nextReading(data, page('9 8', 'x'), isOpen)).toEqual({ cursor: 'x', aboveId: '8' });
  });

  it('is nothing after the last page', () => {
    expect(nextReading(list('9 8', '7? 6'), page('9 8', null), isOpen)).toBeNull();
  });
});

describe('listRenewal', () => {
  let server: Item[];
  let reads: (string | null)[];
  let client: QueryClient;
  let observer: InfiniteQueryObserver<Page<Item>, Error, Pages<Item>, string[], string | null>;
  /** What a request for a further page waits for. */
  let gate: Promise<void>;
  let stop: () => void;

  const answer = (cursor: string | null): Page<Item> => {
    const rest = server.filter(({ id }) => cursor === null || id < cursor);
    const data = rest.slice(0, SIZE);
    const hasMore = rest.length > SIZE;
    return { data, hasMore, nextCursor: hasMore ? data.at(-1)!.id : null };
  };
  const read = (cursor: string | null): Promise<Page<Item>> => {
    reads.push(cursor);
    return Promise.resolve(answer(cursor));
  };
  const options: InfiniteQueryObserverOptions<Page<Item>, Error, Pages<Item>, string[], string | null> = {
    queryKey: KEY,
    queryFn: async ({ pageParam }) => {
      await gate;
      return answer(pageParam);
    },
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Infinity,
  };
  const shown = () =>
    observer
      .getCurrentResult()
      .data?.pages.flatMap(({ data }) => data)
      .map(({ id, isOpen: isStillOpen }) => (isStillOpen ? `${id}?` : id))
      .join(' ');

  beforeEach(async () => {
    vi.useFakeTimers();
    server = '9 8 7? 6 5 4? 3 2'.split(' ').map(item);
    client = new QueryClient();
    gate = Promise.resolve();
    observer = new InfiniteQueryObserver(client, options);
    stop = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    for (let count = 0; count < 2; count += 1) await observer.fetchNextPage();
    reads = [];
  });
  afterEach(() => {
    stop();
    client.clear();
    vi.useRealTimers();
  });

  it('reads the newest page, and older ones with open items', async () => {
    const renew = listRenewal({ client, queryKey: KEY, read, isOpen });
    server = '9 8 7 6 5 4 3 2'.split(' ').map(item);
    await renew();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown()).toBe('9 8 7 6 5 4');
    expect(reads).toEqual([null, '8', '6']);
    await renew();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toEqual([null, '8', '6', null]);
  });

  it('reads older pages every few seconds at most, and once after the last change', async () => {
    const renew = listRenewal({ client, queryKey: KEY, read, isOpen });
    for (let count = 0; count < 10; count += 1) {
      await renew();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(reads.filter((cursor) => cursor !== null)).toEqual(['8', '6']);
    server = '9 8 7 6 5 4 3 2'.split(' ').map(item);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(shown()).toBe('9 8 7 6 5 4');
  });

  it('is not overwritten by a further page that is being loaded', async () => {
    const renew = listRenewal({ client, queryKey: KEY, read, isOpen });
    let go: () => void = () => undefined;
    gate = new Promise((resolve) => (go = resolve));
    const further = observer.fetchNextPage();
    server = 'a 9 8 7 6 5 4 3 2'.split(' ').map(item);
    const renewed = renew();
    await vi.advanceTimersByTimeAsync(100);
    go();
    await Promise.all([further, renewed]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown()).toBe('a 9 8 7 6 5 4 3 2');
  });

  it('keeps deleted items out, even if a further page was being loaded', async () => {
    let go: () => void = () => undefined;
    gate = new Promise((resolve) => (go = resolve));
    const further = observer.fetchNextPage();
    removeItems(client, KEY, new Set(['8', '5']));
    expect(shown()).toBe('9 7? 6 4?');
    go();
    await further;
    await vi.advanceTimersByTimeAsync(0);
    expect(shown()).toBe('9 7? 6 4? 3 2');
    expect(reads).toEqual([]);
  });

  it('ends when the list is no longer shown', async () => {
    const renew = listRenewal({ client, queryKey: KEY, read, isOpen });
    await renew();
    client.removeQueries({ queryKey: KEY });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toEqual([null, '8']);
  });
});
