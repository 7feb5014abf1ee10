/**
 * The page to open after signing in. Always a page of this site, by the rule of the server's `pagePath`: browsers remove
 * tabs and line breaks from a URL, so `/`, a tab and `/evil.example` are another site.
 */
export function nextPath(parameters: URLSearchParams): string {
  const wanted = parameters.get('next') ?? '';
  return /^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(wanted) ? wanted : '/playground';
}
