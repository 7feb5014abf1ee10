import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import type { CompareVersions, VersionComparison, VersionComparisons } from './schema.js';

const INTERVAL_MS = 1_000;
const LIST_INTERVAL_MS = 3_000;
const pathOf = (operation: string): string => `/models/${encodeURIComponent(operation)}/comparisons`;
const listKey = (operation: string) => ['operator', 'comparisons', operation] as const;
const keyOf = (operation: string, id: string) => [...listKey(operation), id] as const;

/** Whether the comparison is queued or running. */
export function isUnfinished({ status }: Pick<VersionComparison, 'status'>): boolean {
  return status === 'queued' || status === 'processing';
}

/** The photo as both versions received it, or the result of one version. */
export type ComparedPicture = 'source' | 'a' | 'b';

/** URL of a picture of a comparison. */
export function pictureUrl(
  { operation, id }: Pick<VersionComparison, 'operation' | 'id'>,
  picture: ComparedPicture,
): string {
  return `/operator/api${pathOf(operation)}/${id}/images/${picture}`;
}

/** The operator's own comparisons of the last 24 hours, newest first. */
export function useComparisons(operation: string) {
  return useQuery({
    queryKey: listKey(operation),
    queryFn: ({ signal }) =>
      requestConsole<VersionComparisons>({ method: 'GET', path: pathOf(operation) }, { signal }),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnfinished) === true ? LIST_INTERVAL_MS : false),
    refetchOnMount: 'always',
  });
}

/** One comparison, refreshed until it has ended. */
export function useComparison(operation: string, id: string) {
  const client = useQueryClient();
  const listed = client.getQueryData<VersionComparisons>(listKey(operation))?.data;
  return useQuery({
    queryKey: keyOf(operation, id),
    queryFn: async ({ signal }) => {
      const path = `${pathOf(operation)}/${encodeURIComponent(id)}`;
      const found = await requestConsole<VersionComparison>({ method: 'GET', path }, { signal });
      client.setQueryData<VersionComparisons>(
        listKey(operation),
        (list) => list && { data: list.data.map((one) => (one.id === id ? found : one)) },
      );
      return found;
    },
    placeholderData: listed?.find((one) => one.id === id),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnfinished(state.data) ? INTERVAL_MS : false,
  });
}

/** Starts a comparison of two versions on an uploaded photo. */
export function useStartComparison(operation: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CompareVersions) =>
      requestConsole<VersionComparison>({ method: 'POST', path: pathOf(operation), body }),
    onSuccess: (created) => {
      client.setQueryData(keyOf(operation, created.id), created);
      return client.invalidateQueries({ queryKey: listKey(operation), exact: true });
    },
  });
}
