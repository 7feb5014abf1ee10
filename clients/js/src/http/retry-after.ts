/**
 * `Retry-After` in seconds, or null. A date is compared with the `Date` of the same response, so that a wrong local
 * clock has no effect.
 */
export function retryAfterSeconds(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return null;
  if (/^\d+$/.test(text)) return Number(text);
  const until = Date.parse(text);
  const now = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) || Number.isNaN(now) ? null : Math.max(0, (until - now) / 1000);
}
