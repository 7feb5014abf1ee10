import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { atMostEvery } from '../lib/async/at-most-every.js';
import type { Page } from './client.js';
import { isRepeatable } from './is-repeatable.js';
import { mergeNewest, mergePage, type Pages } from './merge-newest.js';
import { untilLoaded } from './remove-items.js';

/** Older pages are read again at most this often, however many items change. */
const OLDER_MS = 5_000;
/** Pause after each older page, so that 10,000 loaded items are not requested all at once. */
const PAUSE_MS = 250;
/** The `meta` of queries that `listRenewal` renews. */
export const RENEWED = { isRenewed: true };

export interface RenewedList<Item> {
  readonly client: QueryClient;
  /** Of the infinite query. */
  readonly queryKey: QueryKey;
  /** @param cursor null for the newest page */
  readonly read: (cursor: string | null) => Promise<Page<Item>>;
  /** Whether the item can still change. */
  readonly isOpen: (item: Item) => boolean;
}

/**
 * Creates a function that refreshes a list as far as it was loaded. It reads the newest page again, and afterward, one
 * by one, older pages with items that can still change.
 */
export function listRenewal<Item extends { readonly id: string }>(
  list: RenewedList<Item>,
): () => Promise<void> {
  const { client, queryKey, read, isOpen } = list;
  let newest: Page<Item> | null = null;
  const next = (last: Page<Item>) => {
    const data = client.getQueryData<Pages<Item>>(queryKey);
    return data === undefined ? null : nextReading(data, last, isOpen);
  };
  const merge = async (change: (data: Pages<Item>) => Pages<Item>) => {
    await untilLoaded(client, queryKey);
    client.setQueryData<Pages<Item>>(queryKey, (data) => data && change(data));
  };
  const renewOlder = atMostEvery(
    OLDER_MS,
    async () => {
      let last = newest;
      for (let found = last && next(last); last && found; found = next(last)) {
        const { cursor, aboveId } = found;
        const page = await read(cursor);
        await merge((data) => mergePage(data, page, aboveId));
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        last = page;
      }
    },
    isRepeatable,
  );
  return async () => {
    // The list is no longer shown, and a failed read is not worth repeating.
    if (client.getQueryState(queryKey) === undefined) return;
    const page = await read(null);
    newest = page;
    await merge((data) => mergeNewest(data, page));
    if (next(page) !== null) renewOlder();
  };
}

/** A part of the list to read again. */
export interface Reading {
  readonly cursor: string;
  /** The item above it. */
  readonly aboveId: string;
}

/**
 * The next part of the list that contains an item which can still change.
 * @param last the page that was read before: everything down to its end is up to date
 */
export function nextReading<Item extends { readonly id: string }>(
  { pages, pageParams }: Pages<Item>,
  last: Page<Item>,
  isOpen: (item: Item) => boolean,
): Reading | null {
  const lastId = last.data.at(-1)?.id;
  if (last.nextCursor === null || lastId === undefined) return null;
  const index = pages.findIndex(({ data }) => data.some((item) => item.id < lastId && isOpen(item)));
  if (index === -1) return null;
  const cursor = pageParams[index] ?? null;
  const firstId = pages[index]?.data[0]?.id ?? lastId;
  // A page grows when items are inserted, so it may have to be read in several steps.
  if (cursor === null || firstId >= lastId) return { cursor: last.nextCursor, aboveId: lastId };
  const above = pages.slice(0, index).findLast(({ data }) => data.length > 0);
  return { cursor, aboveId: above?.data.at(-1)?.id ?? lastId };
}
