/**
 * The path of a stored image on this origin. The service returns URLs with its public address, which may differ from
 * that of this page (a tunnel, a port), but the images are available here, too.
 */
export function localPath(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return `${pathname}${search}`;
}
