import { ImageEnhancementError } from '../errors.js';

/** Browsers hide the target and the status of a redirect. */
export const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status);

/** The error for a redirect, which is not followed. */
export function redirected(url: string, response: Response): ImageEnhancementError {
  const target = response.headers.get('location');
  const where = target === null ? 'elsewhere' : `to ${target}`;
  return new ImageEnhancementError(
    'redirected',
    `${new URL(url).origin} redirects ${where}. The key is not sent after it; give the right address as baseUrl (--url on the command line).`,
  );
}
