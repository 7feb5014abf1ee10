/** What precedes the path in the absolute form of a request target, which is sent to a proxy (RFC 9112 §3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const END_OF_PATH = /[?#]/;

/**
 * The target of a request as a path that the router can decode. The router would refuse any other target before the
 * hooks run, so its response would have no CORS headers and would not be measured. A path with an invalid percent
 * encoding keeps its `%` characters: no resource has such a name, so it gets the same 404 as any unknown name.
 */
export function routableUrl(target: string): string {
  const url = originForm(target);
  const end = url.search(END_OF_PATH);
  const path = end === -1 ? url : url.slice(0, end);
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(ORIGIN, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}
