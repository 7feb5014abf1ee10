const MAX_LENGTH = 1_000;

/** The path of a page of the dashboard; its first page for anything that leads elsewhere. */
export function pagePath(next: unknown): string {
  const isPath =
    typeof next === 'string' && next.length <= MAX_LENGTH && /^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(next);
  return isPath ? next : '/';
}
