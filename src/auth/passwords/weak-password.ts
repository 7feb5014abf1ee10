import { isCommonPassword } from '../../infra/passwords/common-passwords.js';

/** Shorter parts of an address occur in many good passwords by chance. */
const MIN_PART_CHARACTERS = 4;
/** 123456789012, aaaabbbbcccc and abcdef123456 have no more distinct steps. */
const MAX_JUMPS = 2;

/**
 * Whether a password is easy to guess (NIST SP 800-63B, 5.1.1.2): a common one, also repeated or surrounded by digits
 * or symbols, or a sequence like 12345. Several words in a row are accepted.
 */
export function isWeakPassword(password: string): boolean {
  const text = lowered(password);
  return jumpsOf(text) <= MAX_JUMPS || coresOf(text).some(isCommonPassword);
}

/**
 * Whether it is a part of the account's email address, possibly repeated or surrounded by digits or symbols.
 */
export function containsEmailPart(password: string, email: string): boolean {
  const parts = new Set(
    lowered(email)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((part) => Array.from(part).length >= MIN_PART_CHARACTERS),
  );
  return coresOf(lowered(password)).some((core) => parts.has(core));
}

const lowered = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/**
 * The forms of a password that are looked up: unchanged, without surrounding digits and symbols, and the repeated unit.
 */
function coresOf(text: string): readonly string[] {
  const once = unitOf(text);
  const letters = lettersOf(text);
  return [text, once, letters, lettersOf(once), unitOf(letters)];
}

const lettersOf = (text: string): string => text.replaceAll(/^\P{L}+|\P{L}+$/gu, '');

/** The shortest text that yields this one when repeated; the text itself when none does. */
function unitOf(text: string): string {
  return text.slice(0, `${text}${text}`.indexOf(text, 1));
}

/** The number of characters that neither equal the previous one nor are its neighbor. */
function jumpsOf(text: string): number {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  return codes.filter((code, index) => index > 0 && Math.abs(code - codes[index - 1]!) > 1).length;
}
