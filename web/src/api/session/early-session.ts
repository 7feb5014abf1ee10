import { API_BASE } from '../api-base.js';

/**
 * Requests the session before the application has loaded.
 * @returns null if there was no answer or it was an error; then the application requests the session itself
 */
export async function askForSession(): Promise<Response | null> {
  try {
    const answer = await fetch(`${API_BASE}/session`, { credentials: 'same-origin' });
    return answer.ok ? answer : null;
  } catch {
    return null;
  }
}
