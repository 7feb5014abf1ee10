import { API_BASE } from '../api-base.js';

/** The most that one archive takes. */
export const MAX_SELECTED = 100;

/** Where chosen results are downloaded as one archive. */
export function selectedPath(ids: readonly string[]): string {
  return `${API_BASE}/ai/results.zip?ids=${ids.join(',')}`;
}
