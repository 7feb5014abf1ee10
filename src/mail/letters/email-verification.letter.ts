import type { Language } from '../language.js';
import type { Letter } from '../letter.js';

/** @param url the page that verifies the address, valid for three days */
export function emailVerificationLetter(language: Language, url: string): Letter {
  if (language === 'de')
    return {
      language,
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      paragraphs: [
        'willkommen bei Image Enhancement. Bestätigen Sie bitte, dass diese Adresse Ihnen gehört. Der Link gilt drei Tage.',
      ],
      action: { label: 'Adresse bestätigen', url },
      closing: ['Wenn Sie kein Konto angelegt haben, müssen Sie nichts tun.'],
    };
  return {
    language,
    subject: 'Confirm your email address',
    paragraphs: [
      'Welcome to Image Enhancement. Please confirm that this address is yours. The link expires in three days.',
    ],
    action: { label: 'Confirm address', url },
    closing: ["If you didn't create an account, you can ignore this email."],
  };
}
