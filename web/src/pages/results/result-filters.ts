/** Filters of the results. Empty values do not filter. */
export interface ResultFilters {
  /** Part of the photo's name. */
  readonly name: string;
  readonly operation: string;
  /** Hours back from now, as text. */
  readonly since: string;
}

export const NO_FILTERS: ResultFilters = { name: '', operation: '', since: '' };
