import { ImageEnhancementError } from '../errors.js';
import { checkedNumber } from '../numbers.js';
import type { ClientOptions } from '../options.js';
import type { Platform } from '../platform/platform.js';

/**
 * `fetch` rejects invalid values with unclear errors on every call. These checks reject them once, with clear messages.
 */
const HEADER_TEXT = /^[\x21-\x7e]+$/;
/** Maximum length, in characters. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/**
 * The key to send; undefined when cookies replace it.
 * @throws ImageEnhancementError `missing_api_key`, `invalid_api_key`
 */
export function checkedKey(options: ClientOptions, platform: Platform): string | undefined {
  const hasCookies = options.credentials !== undefined;
  const given = options.apiKey ?? (hasCookies ? undefined : platform.setting('IMAGE_ENHANCEMENT_API_KEY'));
  // A key that was read from a file may end with a line break.
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

/** The URL without a trailing slash. @throws ImageEnhancementError `invalid_base_url` */
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

/** Parses a URL. (`URL.canParse` is missing in some supported browsers.) */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks limits at construction, not only when a request first fails.
 * @throws ImageEnhancementError `invalid_option`
 */
export function checkLimits({ timeoutMs, maxRetries, maxRateLimitWaitMs }: ClientOptions): void {
  checkedNumber('timeoutMs', timeoutMs ?? 0);
  checkedNumber('maxRetries', maxRetries ?? 0, { min: 0 });
  checkedNumber('maxRateLimitWaitMs', maxRateLimitWaitMs ?? 0, { min: 0 });
}

/** @throws ImageEnhancementError `invalid_idempotency_key` */
export function checkIdempotencyKey(key: string): void {
  if (HEADER_TEXT.test(key) && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return;
  throw new ImageEnhancementError(
    'invalid_idempotency_key',
    `An idempotency key has 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters without spaces (a digest, for example); "${key}" is none.`,
  );
}
