import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** What of the results is shown; empty: everything. */
export interface ResultFilters {
  /** Part of the name of the photo. */
  readonly name: string;
  readonly operation: string;
  /** Hours back from now, as text. */
  readonly since: string;
}

const NAMES = ['name', 'operation', 'since'] as const;

/** The filters live in the address, so that they survive a reload and can be shared. */
export function useResultFilters() {
  const [parameters, setParameters] = useSearchParams();
  const [name, operation, since] = NAMES.map((each) => parameters.get(each) ?? '');
  const filters = useMemo<ResultFilters>(
    () => ({ name: name ?? '', operation: operation ?? '', since: since ?? '' }),
    [name, operation, since],
  );
  const change = useCallback(
    (changes: Partial<ResultFilters>) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [each, value] of Object.entries(changes)) {
            if (value === '') after.delete(each);
            else after.set(each, value);
          }
          return after;
        },
        { replace: true },
      ),
    [setParameters],
  );
  const clear = useCallback(() => change({ name: '', operation: '', since: '' }), [change]);
  return { filters, change, clear, isFiltered: NAMES.some((each) => filters[each] !== '') };
}
