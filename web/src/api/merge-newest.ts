import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from './client.js';

type Pages<Item> = InfiniteData<Page<Item>, string | null>;

/**
 * Merges the newest page into a list that was loaded page by page. New items come first, and known ones are updated in
 * place. Items within the range of the newest page that it does not contain are removed: they were deleted, or no
 * longer match the filter. If the page and the list do not overlap, items between them are missing, so the list starts
 * over.
 */
export function mergeNewest<Item extends { readonly id: string }>(
  data: Pages<Item>,
  newest: Page<Item>,
): Pages<Item> {
  const fresh = new Map(newest.data.map((item) => [item.id, item]));
  const oldestId = newest.data.at(-1)?.id;
  // Ids are ordered by time. If the newest page is also the last one, it covers everything.
  const isSpanned = (id: string) => !newest.hasMore || (oldestId !== undefined && id >= oldestId);
  const known = new Set(data.pages.flatMap((page) => page.data.map(({ id }) => id)));
  const added = newest.data.filter(({ id }) => !known.has(id));
  if (newest.hasMore && added.length === newest.data.length) return { pages: [newest], pageParams: [null] };
  const pages = data.pages.map((page, index) => {
    const kept = page.data.flatMap((item) => {
      const renewed = fresh.get(item.id);
      if (renewed !== undefined) return [renewed];
      return isSpanned(item.id) ? [] : [item];
    });
    return { ...page, data: index === 0 ? [...added, ...kept] : kept };
  });
  return { ...data, pages };
}
