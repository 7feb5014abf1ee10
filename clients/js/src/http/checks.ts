import { ImageEnhancementError } from '../errors.js';
import { checkedNumber } from '../numbers.js';
import type { ClientOptions } from '../options.js';
import type { Platform } from '../platform/platform.js';

/** What `fetch` would refuse in words of its own, again and again, is refused at once in words that help. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;
/** Characters. */
export const LONGEST_IDEMPOTENCY_KEY = 255;

/** The key to send; undefined where cookies stand for it. @throws ImageEnhancementError `missing_api_key`, `invalid_api_key` */
export function checkedKey(options: ClientOptions, platform: Platform): string | undefined {
  const hasCookies = options.credentials !== undefined;
  const given = options.apiKey ?? (hasCookies ? undefined : platform.setting('IMAGE_ENHANCEMENT_API_KEY'));
  // Read from a file, it ends with the line.
  const key = given?.trim();
  if (key === undefined || key === '') {
    if (hasCookies) return undefined;
    throw new ImageEnhancementError(
      'missing_api_key',
      'Give the key of your account: new ImageEnhancement({ apiKey }).',
    );
  }
  if (!HEADER_TEXT.test(key)) {
    throw new ImageEnhancementError('invalid_api_key', 'The API key has characters that no key has.');
  }
  return key;
}

/** Without a slash at the end. @throws ImageEnhancementError `invalid_base_url` */
export function checkedUrl(text: string): string {
  const url = parsedUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ImageEnhancementError(
      'invalid_base_url',
      `"${text}" is not an address that begins with http:// or https://.`,
    );
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new ImageEnhancementError(
      'invalid_base_url',
      `The address of the service is host and path alone, as ${url.origin}, without a name, a "?" or a "#".`,
    );
  }
  return text.trim().replace(/\/+$/, '');
}

/** (`URL.canParse` would do, but not every browser in use has it.) */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** At once, and not only when something goes wrong for the first time. @throws ImageEnhancementError `invalid_option` */
export function checkLimits({ timeoutMs, maxRetries, maxRateLimitWaitMs }: ClientOptions): void {
  checkedNumber('timeoutMs', timeoutMs ?? 0);
  checkedNumber('maxRetries', maxRetries ?? 0, { min: 0 });
  checkedNumber('maxRateLimitWaitMs', maxRateLimitWaitMs ?? 0, { min: 0 });
}

/** @throws ImageEnhancementError `invalid_idempotency_key` */
export function checkIdempotencyKey(key: string): void {
  if (HEADER_TEXT.test(key) && key.length <= LONGEST_IDEMPOTENCY_KEY) return;
  throw new ImageEnhancementError(
    'invalid_idempotency_key',
    `An idempotency key has 1 to ${LONGEST_IDEMPOTENCY_KEY} printable ASCII characters without spaces (a digest, for example); "${key}" is none.`,
  );
}
