import { createHash, randomBytes } from 'node:crypto';

/** Codes in one set. */
export const RECOVERY_CODES = 10;

/** Crockford's base32, which has no letters that are read as digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 16;
const GROUP = 4;

/** A set of one-time codes of 80 random bits each, such as `k3f9-0x2m-77qa-v1tz`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

function newCode(): string {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replaceAll(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-');
}

/** The code without spaces, hyphens and capitals; undefined for text that cannot be one. */
export function normalizeRecoveryCode(text: string): string | undefined {
  const code = text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isCode = code.length === CHARACTERS && Array.from(code).every((letter) => ALPHABET.includes(letter));
  return isCode ? code : undefined;
}

/** What is stored of a code. SHA-256 is enough for 80 random bits; the account is part of it. */
export function hashRecoveryCode(accountId: string, code: string): Buffer {
  const normalized = normalizeRecoveryCode(code) ?? '';
  return createHash('sha256').update(`recovery code\n${accountId}\n${normalized}`).digest();
}
