import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { timeText } from '../time-text.js';

/** `password_changed`: by a signed-in user, whose device stays signed in. `password_reset`: by a link. */
export type PasswordChange = 'password_changed' | 'password_reset';

/** Which devices a change signs out. A notice that promises more reassures the owner while an intruder stays signed in. */
const TEXT: Readonly<Record<Language, Readonly<Record<PasswordChange, string>>>> = {
  en: {
    password_changed:
      'The password for your account was changed. All devices were signed out, except the one that changed it.',
    password_reset: 'The password for your account was changed, and all devices were signed out.',
  },
  de: {
    password_changed:
      'das Passwort Ihres Kontos wurde geändert. Alle Geräte wurden abgemeldet, außer dem, auf dem es geändert wurde.',
    password_reset: 'das Passwort Ihres Kontos wurde geändert. Alle Geräte wurden abgemeldet.',
  },
};

/**
 * @param address of the client that changed it; null when it is unknown
 * @param forgottenUrl the page where the user can request a reset link
 */
export function passwordChangedLetter(
  language: Language,
  change: PasswordChange,
  at: Date,
  address: string | null,
  forgottenUrl: string,
): Letter {
  const time = timeText(language, at);
  if (language === 'de')
    return {
      language,
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [TEXT.de[change]],
      facts: [['Zeit', time], ...(address === null ? [] : [['IP-Adresse', address] as const])],
      closing: [`Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: ${forgottenUrl}`],
    };
  return {
    language,
    subject: 'Your password was changed',
    paragraphs: [TEXT.en[change]],
    facts: [['Time', time], ...(address === null ? [] : [['IP address', address] as const])],
    closing: [`If that wasn't you, choose a new password right away: ${forgottenUrl}`],
  };
}
