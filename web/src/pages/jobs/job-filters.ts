/** Filters of the list. Empty values do not filter. */
export interface JobFilters {
  readonly status: string;
  readonly operation: string;
  /** Hours back from now, as text. */
  readonly since: string;
}

export const NO_FILTERS: JobFilters = { status: '', operation: '', since: '' };
