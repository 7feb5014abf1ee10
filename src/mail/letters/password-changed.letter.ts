import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { timeText } from '../time-text.js';

/**
 * @param address of the client that changed it; null when it is unknown
 * @param forgottenUrl the page where the user can request a reset link
 */
export function passwordChangedLetter(
  language: Language,
  at: Date,
  address: string | null,
  forgottenUrl: string,
): Letter {
  const time = timeText(language, at);
  if (language === 'de')
    return {
      language,
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: ['das Passwort Ihres Kontos wurde geändert. Alle Geräte wurden abgemeldet.'],
      facts: [['Zeit', time], ...(address === null ? [] : [['IP-Adresse', address] as const])],
      closing: [`Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: ${forgottenUrl}`],
    };
  return {
    language,
    subject: 'Your password was changed',
    paragraphs: ['The password for your account was changed, and all devices were signed out.'],
    facts: [['Time', time], ...(address === null ? [] : [['IP address', address] as const])],
    closing: [`If that wasn't you, choose a new password right away: ${forgottenUrl}`],
  };
}
