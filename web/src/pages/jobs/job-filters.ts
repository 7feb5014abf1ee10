import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** What of the list is shown; empty: everything. */
export interface JobFilters {
  readonly status: string;
  readonly operation: string;
  /** Hours back from now, as text. */
  readonly since: string;
}

const NAMES = ['status', 'operation', 'since'] as const;

/** The filters live in the address, so that they survive a reload and can be shared. */
export function useJobFilters() {
  const [parameters, setParameters] = useSearchParams();
  const [status, operation, since] = NAMES.map((name) => parameters.get(name) ?? '');
  const filters = useMemo<JobFilters>(
    () => ({ status: status ?? '', operation: operation ?? '', since: since ?? '' }),
    [status, operation, since],
  );
  const change = useCallback(
    (changes: Partial<JobFilters>) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
    [setParameters],
  );
  const clear = useCallback(() => change({ status: '', operation: '', since: '' }), [change]);
  return { filters, change, clear, isFiltered: NAMES.some((name) => filters[name] !== '') };
}
