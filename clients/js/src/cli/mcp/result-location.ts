/**
 * Tells an agent where a result is that is too large for a response.
 * @param url the signed URL of the result; its parameter `exp` is the time at which it expires, in Unix seconds
 */
export function resultLocation(url: string): string {
  const seconds = new URL(url).searchParams.get('exp');
  const until = seconds === null ? '' : ` until ${new Date(Number(seconds) * 1000).toISOString()}`;
  return `The result is too large to be shown. It is at ${url}${until}. get_status returns a new URL.`;
}
