import type { Language } from '../language.js';
import type { Letter } from '../letter.js';

/** To the new address. @param url the page that changes the address, valid for three days */
export function emailChangeLetter(language: Language, url: string): Letter {
  if (language === 'de')
    return {
      language,
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
      paragraphs: [
        'für ein Konto wurde diese E-Mail-Adresse als neue Adresse angegeben. Ist es Ihr Konto, bestätigen Sie sie bitte. Wenn Sie nicht angemeldet sind, melden Sie sich dafür mit der bisherigen Adresse an. Der Link gilt drei Tage und funktioniert einmal.',
      ],
      action: { label: 'Neue Adresse bestätigen', url },
      closing: ['Wenn Sie das nicht waren, müssen Sie nichts tun. Es ändert sich nichts.'],
    };
  return {
    language,
    subject: 'Confirm your new email address',
    paragraphs: [
      "Someone entered this address as the new email address of their account. If that was you, please confirm it. If you aren't signed in, sign in with your current address to do so. The link can be used once and expires in three days.",
    ],
    action: { label: 'Confirm new address', url },
    closing: ["If that wasn't you, you can ignore this email. Nothing will change."],
  };
}
