/** What of the results is shown; empty: everything. */
export interface ResultFilters {
  /** Part of the name of the photo. */
  readonly name: string;
  readonly operation: string;
  /** Hours back from now, as text. */
  readonly since: string;
}

export const NO_FILTERS: ResultFilters = { name: '', operation: '', since: '' };
