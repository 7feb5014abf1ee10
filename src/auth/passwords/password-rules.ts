import { isWeakPassword, containsEmailPart } from './weak-password.js';

/** Following NIST SP 800-63B: length counts, character classes do not, and common passwords are refused. */
export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 200;

/**
 * What is wrong with a new password, as the end of a sentence that begins with "the password"; undefined when it is
 * acceptable.
 * @param email of the account
 */
export function passwordFault(password: string, email: string): string | undefined {
  const characters = Array.from(password).length;
  if (characters < MIN_PASSWORD_CHARACTERS)
    return `must have at least ${MIN_PASSWORD_CHARACTERS} characters. A few random words work well`;
  if (characters > MAX_PASSWORD_CHARACTERS) return `must have at most ${MAX_PASSWORD_CHARACTERS} characters`;
  if (new Set(password).size < 4) return 'must have at least four different characters';
  if (password.toLowerCase() === email.trim().toLowerCase()) return 'must not be the email address';
  if (containsEmailPart(password, email)) return 'must not be a part of the email address';
  if (isWeakPassword(password)) return 'is too easy to guess. A few random words work well';
  return undefined;
}
