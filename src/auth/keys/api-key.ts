import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ies_';
const TEST_PREFIX = 'ies_test_';
/** Characters after the prefix that its owner sees. */
const VISIBLE_CHARACTERS = 4;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 bytes in base 62 take at most 43 digits, 4 bytes at most 6. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

export interface NewApiKey {
  /** The complete secret, shown to its owner once. */
  readonly key: string;
  readonly hash: Buffer;
  /** The visible part that identifies a key. */
  readonly prefix: string;
  readonly last4: string;
}

/**
 * Creates a key: `ies_`, or `ies_test_` for test mode, 32 random bytes in base 62, and a CRC-32 in base 62, so that a
 * mistyped key is recognized without a query (as with GitHub's tokens).
 */
export function generateApiKey(livemode = true): NewApiKey {
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_DIGITS);
  const prefix = livemode ? PREFIX : TEST_PREFIX;
  const key = prefix + secret + checksum(secret);
  const visible = key.slice(0, prefix.length + VISIBLE_CHARACTERS);
  return { key, hash: hashApiKey(key), prefix: visible, last4: key.slice(-4) };
}

/** Whether `text` has the format and the checksum of a key. It may still be unknown. */
export function isWellFormedApiKey(text: string): boolean {
  const prefix = text.startsWith(TEST_PREFIX) ? TEST_PREFIX : PREFIX;
  if (text.length !== prefix.length + SECRET_DIGITS + CHECKSUM_DIGITS || !text.startsWith(prefix))
    return false;
  const secret = text.slice(prefix.length, -CHECKSUM_DIGITS);
  return (
    /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) && checksum(secret) === text.slice(-CHECKSUM_DIGITS)
  );
}

/** SHA-256 is enough for a secret of 256 random bits; slow hashes are for guessable passwords. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)]! + text;
  return text.padStart(digits, '0');
}
