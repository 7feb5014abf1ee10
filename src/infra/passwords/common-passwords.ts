import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

let known: ReadonlySet<string> | undefined;

/**
 * Whether a text is among the 49,000 most common passwords or one of 7,776 plain English words. The lists are kept in
 * memory (5 MB), so that no password is sent anywhere.
 * @param text in lowercase
 */
export function isCommonPassword(text: string): boolean {
  known ??= readLists();
  return known.has(text);
}

/** On first use, because roles and commands that set no password would start more slowly. */
function readLists(): ReadonlySet<string> {
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'], ...dictionary['diceware-common']]);
}
