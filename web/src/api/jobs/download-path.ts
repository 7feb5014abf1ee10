import { API_BASE } from '../api-base.js';

/** URL for downloading a result under the name of its photo. */
export function downloadPath(jobId: string): string {
  return `${API_BASE}/ai/enhance/${jobId}/result`;
}
