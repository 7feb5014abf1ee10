import { isCommonPassword } from '../../infra/passwords/common-passwords.js';

/** Shorter parts of an address stand in many good passwords by chance. */
const MIN_PART_CHARACTERS = 4;
/** 123456789012, aaaabbbbcccc and abcdef123456 have no more. */
const MAX_JUMPS = 2;

/**
 * Whether a password is easy to guess (NIST SP 800-63B, 5.1.1.2): a common one, also with digits or signs
 * around it or repeated, or a sequence like 12345. Several words in a row are accepted.
 */
export function isWeakPassword(password: string): boolean {
  const text = lowered(password);
  return jumpsOf(text) <= MAX_JUMPS || coresOf(text).some(isCommonPassword);
}

/**
 * Whether it is a part of the account's address, with nothing but digits or signs around it, once or more.
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
 * What a password comes down to: as it is, without what stands around its letters, and of repetitions the
 * first.
 */
function coresOf(text: string): readonly string[] {
  const once = unitOf(text);
  const letters = lettersOf(text);
  return [text, once, letters, lettersOf(once), unitOf(letters)];
}

const lettersOf = (text: string): string => text.replaceAll(/^\P{L}+|\P{L}+$/gu, '');

/** The shortest text that makes this one when repeated; itself when nothing does. */
function unitOf(text: string): string {
  return text.slice(0, `${text}${text}`.indexOf(text, 1));
}

/** How many of its characters are neither the one before them nor a neighbor of it. */
function jumpsOf(text: string): number {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  return codes.filter((code, index) => index > 0 && Math.abs(code - codes[index - 1]!) > 1).length;
}
