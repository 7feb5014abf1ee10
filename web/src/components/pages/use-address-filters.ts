import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

type Texts<Filters> = { readonly [Name in keyof Filters]: string };

/**
 * The filters of a list. They are stored in the URL, so that they survive a reload and can be shared.
 * @param defaults of each filter, which are omitted from the URL. Pass a constant, so that it stays the same object
 */
export function useAddressFilters<Filters extends Texts<Filters>>(defaults: Filters) {
  const [parameters, setParameters] = useSearchParams();
  const filters = useMemo(
    () =>
      Object.fromEntries(
        Object.entries<string>(defaults).map(([name, value]) => [name, parameters.get(name) ?? value]),
      ) as Filters,
    [defaults, parameters],
  );
  const change = useCallback(
    (changes: Partial<Filters>) =>
      setParameters((before) => changed(before, defaults, changes), { replace: true }),
    [defaults, setParameters],
  );
  const clear = useCallback(() => change(defaults), [change, defaults]);
  const isFiltered = Object.entries(filters).some(([name, value]) => value !== valueOf(defaults, name));
  return { filters, change, clear, isFiltered };
}

function changed(before: URLSearchParams, defaults: object, changes: object): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes) as [string, string][]) {
    if (value === valueOf(defaults, name)) after.delete(name);
    else after.set(name, value);
  }
  return after;
}

function valueOf(defaults: object, name: string): string | undefined {
  return (defaults as Readonly<Record<string, string>>)[name];
}
