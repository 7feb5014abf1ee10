import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from './client.js';

type Pages<Item> = InfiniteData<Page<Item>, string | null>;

/**
 * Lays the newest page over a list that was loaded page by page: new items come first, known ones are renewed in
 * place. Items that lie in the span of the newest page without being in it were deleted, or no longer fit the
 * filter, and go. Where the two do not meet, something was missed between them: the list begins anew.
 */
export function mergeNewest<Item extends { readonly id: string }>(
  data: Pages<Item>,
  newest: Page<Item>,
): Pages<Item> {
  const fresh = new Map(newest.data.map((item) => [item.id, item]));
  const oldestId = newest.data.at(-1)?.id;
  // Ids are ordered by time; a newest page that is the last one spans everything.
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
