import type { Language } from '../language.js';
import type { Letter } from '../letter.js';

/** @param url the page that sets the new password, valid for an hour */
export function passwordResetLetter(language: Language, url: string): Letter {
  if (language === 'de')
    return {
      language,
      subject: 'Neues Passwort wählen',
      paragraphs: [
        'für Ihr Konto wurde ein Link angefordert, mit dem Sie ein neues Passwort wählen. Er gilt eine Stunde und funktioniert einmal.',
      ],
      action: { label: 'Neues Passwort wählen', url },
      closing: ['Wenn Sie das nicht waren, müssen Sie nichts tun. Ihr Passwort bleibt, wie es ist.'],
    };
  return {
    language,
    subject: 'Reset your password',
    paragraphs: [
      'Someone requested a link to reset the password for your account. It can be used once and expires in one hour.',
    ],
    action: { label: 'Reset password', url },
    closing: ["If that wasn't you, you can ignore this email. Your password won't change."],
  };
}
