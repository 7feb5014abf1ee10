/**
 * The address of a stored image as this page reaches it. The service writes addresses with its public name,
 * which may differ from the one in the address bar (a tunnel, a port); the images are here all the same.
 */
export function localPath(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return `${pathname}${search}`;
}
