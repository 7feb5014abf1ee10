import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Pages } from './merge-newest.js';

interface Identified {
  readonly id: string;
}

/**
 * Removes deleted items from all lists under the key, without requesting their pages again.
 * @param queryKey of infinite queries
 */
export function removeItems(client: QueryClient, queryKey: QueryKey, ids: ReadonlySet<string>): void {
  for (const { queryKey: key } of client.getQueryCache().findAll({ queryKey })) {
    const remove = () => client.setQueryData<Pages<Identified>>(key, (data) => data && without(data, ids));
    remove();
    void untilLoaded(client, key).then(remove);
  }
}

/** A further page that is being loaded would undo changes, because the pages above it stay as they were before. */
export async function untilLoaded(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const query = client.getQueryCache().find({ queryKey });
  while (query?.state.fetchMeta?.fetchMore !== undefined && query.state.fetchStatus !== 'idle') {
    if (query.promise === undefined) return;
    await query.promise.catch(() => undefined);
  }
}

/** The list without these items; undefined if it contains none of them. */
function without(data: Pages<Identified>, ids: ReadonlySet<string>): Pages<Identified> | undefined {
  if (!data.pages.some((page) => page.data.some(({ id }) => ids.has(id)))) return undefined;
  const pages = data.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !ids.has(id)) }));
  return { ...data, pages };
}
