import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from './client.js';

export type Pages<Item> = InfiniteData<Page<Item>, string | null>;

interface Identified {
  readonly id: string;
}

/**
 * Merges the newest page into a list that was loaded page by page. The newest page replaces the list if it covers it. It
 * also does if they do not overlap, because items between them are missing.
 */
export function mergeNewest<Item extends Identified>(data: Pages<Item>, newest: Page<Item>): Pages<Item> {
  const known = idsOf(data);
  const isOverlapping = newest.data.some(({ id }) => known.has(id));
  const isCovering = !newest.hasMore || (newest.data.at(-1)?.id ?? '') <= (lowestIdOf(data) ?? '');
  if (isCovering || !isOverlapping) return { pages: [newest], pageParams: [null] };
  return mergePage(data, newest, null);
}

/**
 * Merges a page that was read again into a list that was loaded page by page. Known items are updated in place. Items
 * within the range of the page that it does not contain are removed: they were deleted, or no longer match the filter.
 * Unknown items are inserted where a reload would show them, because ids are ordered by time, newest first. Those below
 * the list are left out: they come when more is loaded.
 * @param aboveId the item above the range of the page; null for the newest page
 */
export function mergePage<Item extends Identified>(
  data: Pages<Item>,
  read: Page<Item>,
  aboveId: string | null,
): Pages<Item> {
  const fresh = new Map(read.data.map((item) => [item.id, item]));
  const lastId = read.data.at(-1)?.id;
  const isSpanned = (id: string) =>
    (aboveId === null || id < aboveId) && (!read.hasMore || (lastId !== undefined && id >= lastId));
  const renew = (item: Item): readonly Item[] => {
    const renewed = fresh.get(item.id);
    if (renewed !== undefined) return [renewed];
    return isSpanned(item.id) ? [] : [item];
  };
  const left = [...added(data, read)];
  const pages = data.pages.map((page, index) => {
    const nextId = data.pages.slice(index + 1).find((below) => below.data.length > 0)?.data[0]?.id;
    const end = nextId === undefined ? -1 : left.findIndex(({ id }) => id < nextId);
    const own = left.splice(0, end === -1 ? left.length : end);
    const kept = page.data.flatMap(renew);
    return { ...page, data: own.length === 0 ? kept : [...own, ...kept].toSorted(newestFirst) };
  });
  return { ...data, pages };
}

/** The unknown items of a page, without those below the list unless the list is complete. */
function added<Item extends Identified>(data: Pages<Item>, read: Page<Item>): readonly Item[] {
  const known = idsOf(data);
  const isComplete = data.pages.at(-1)?.nextCursor === null;
  const lowestId = lowestIdOf(data);
  const isWithin = (id: string) => isComplete || lowestId === undefined || id > lowestId;
  return read.data.filter(({ id }) => !known.has(id) && isWithin(id));
}

function idsOf<Item extends Identified>(data: Pages<Item>): ReadonlySet<string> {
  return new Set(data.pages.flatMap((page) => page.data.map(({ id }) => id)));
}

function lowestIdOf<Item extends Identified>(data: Pages<Item>): string | undefined {
  return data.pages.findLast((page) => page.data.length > 0)?.data.at(-1)?.id;
}

const newestFirst = (a: Identified, b: Identified): number => (a.id < b.id ? 1 : -1);
