import { dictionary } from '@zxcvbn-ts/language-common';

let known: ReadonlySet<string> | undefined;

/**
 * Whether a text is among the 49,000 most common passwords or one of 7,776 plain English words. The lists are kept in
 * memory (5 MB), so that no password is sent anywhere.
 * @param text in lowercase
 */
export function isCommonPassword(text: string): boolean {
  known ??= new Set([...dictionary['passwords-common'], ...dictionary['diceware-common']]);
  return known.has(text);
}
