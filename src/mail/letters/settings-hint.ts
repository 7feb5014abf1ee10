import type { Language } from '../language.js';

/**
 * Explains why the recipient gets a notice, and how to turn it off.
 * @param who the role, in the language of the letter
 */
export function settingsHint(language: Language, who: string, publicUrl: string): string {
  const url = `${publicUrl}/account`;
  return language === 'de'
    ? `Sie erhalten diese E-Mail als ${who} des Kontos. Abschalten können Sie sie unter ${url}`
    : `You're receiving this email because you're ${who} of this account. To turn off these emails, go to ${url}`;
}
