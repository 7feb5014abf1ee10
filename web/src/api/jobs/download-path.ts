import { API_BASE } from '../api-base.js';

/** Where a result is downloaded under the name of its photo. */
export function downloadPath(jobId: string): string {
  return `${API_BASE}/ai/enhance/${jobId}/result`;
}
