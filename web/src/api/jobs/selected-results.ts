import { API_BASE } from '../api-base.js';

/** Maximum results in one archive. */
export const MAX_SELECTED = 100;

/** URL for downloading selected results as one archive. */
export function selectedPath(ids: readonly string[]): string {
  return `${API_BASE}/ai/results.zip?ids=${ids.join(',')}`;
}
