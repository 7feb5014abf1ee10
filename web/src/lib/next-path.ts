/** Where to go after signing in: only ever a page of this site. */
export function nextPath(parameters: URLSearchParams): string {
  const wanted = parameters.get('next') ?? '';
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/playground';
}
