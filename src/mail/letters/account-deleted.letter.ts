import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { timeText } from '../time-text.js';

export interface DeletedAccount {
  /** The email address of the user, or the name of the organization. */
  readonly name: string;
  readonly isOrganization: boolean;
  readonly at: Date;
  /** Of the client that deleted it; null when it is unknown. */
  readonly address: string | null;
}

/** To the user who deleted an account: the only record that remains with them. */
export function accountDeletedLetter(
  language: Language,
  { name, isOrganization, at, address }: DeletedAccount,
): Letter {
  const time = timeText(language, at);
  if (language === 'de')
    return {
      language,
      subject: isOrganization ? 'Ihre Organisation wurde gelöscht' : 'Ihr Konto wurde gelöscht',
      paragraphs: [
        isOrganization
          ? 'Ihre Organisation wurde mit allen Fotos, Ergebnissen, Aufträgen und API-Schlüsseln gelöscht.'
          : 'Ihr Konto wurde mit allen Fotos, Ergebnissen, Aufträgen und API-Schlüsseln gelöscht.',
      ],
      facts: [
        [isOrganization ? 'Organisation' : 'Konto', name],
        ['Zeit', time],
        ...(address === null ? [] : [['IP-Adresse', address] as const]),
      ],
      closing: ['Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber dieses Dienstes.'],
    };
  return {
    language,
    subject: isOrganization ? 'Your organization was deleted' : 'Your account was deleted',
    paragraphs: [
      isOrganization
        ? 'Your organization was deleted with all its photos, results, jobs and API keys.'
        : 'Your account was deleted with all its photos, results, jobs and API keys.',
    ],
    facts: [
      [isOrganization ? 'Organization' : 'Account', name],
      ['Time', time],
      ...(address === null ? [] : [['IP address', address] as const]),
    ],
    closing: ["If that wasn't you, contact the operator of this service right away."],
  };
}
