/** The page to open after signing in. Always a page of this site. */
export function nextPath(parameters: URLSearchParams): string {
  const wanted = parameters.get('next') ?? '';
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/playground';
}
