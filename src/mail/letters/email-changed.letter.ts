import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { timeText } from '../time-text.js';

/** `requested` and `changed`: by the signed-in user. */
export type EmailChangeStep = 'requested' | 'changed' | 'changed_by_operator';

interface Text {
  readonly subject: string;
  readonly paragraph: string;
  /** @param forgottenUrl the page where the user can request a link to choose a new password */
  readonly closing: (forgottenUrl: string) => string;
}

/** After the change, links to choose a new password go to the new address, so only the operator can help. */
const TEXTS: Readonly<Record<Language, Readonly<Record<EmailChangeStep, Text>>>> = {
  en: {
    requested: {
      subject: 'A new email address was requested',
      paragraph:
        'Someone with your password asked to change the email address of your account. It changes when the link in the email to the new address is opened and confirmed.',
      closing: (url) =>
        `If that wasn't you, choose a new password right away, which also cancels the change: ${url}`,
    },
    changed: {
      subject: 'Your email address was changed',
      paragraph:
        'The email address of your account was changed, so you can no longer sign in with this one. All devices were signed out, except the one that changed it.',
      closing: () => "If that wasn't you, contact the operator of this service right away.",
    },
    changed_by_operator: {
      subject: 'Your email address was changed',
      paragraph:
        'The operator of this service changed the email address of your account, so you can no longer sign in with this one. All devices were signed out.',
      closing: () => "If you didn't ask for that, contact the operator.",
    },
  },
  de: {
    requested: {
      subject: 'Eine neue E-Mail-Adresse wurde angefordert',
      paragraph:
        'jemand mit Ihrem Passwort möchte die E-Mail-Adresse Ihres Kontos ändern. Sie ändert sich, wenn der Link in der E-Mail an die neue Adresse geöffnet und bestätigt wird.',
      closing: (url) =>
        `Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort, was auch die Änderung abbricht: ${url}`,
    },
    changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraph:
        'die E-Mail-Adresse Ihres Kontos wurde geändert. Mit dieser Adresse können Sie sich nicht mehr anmelden. Alle Geräte wurden abgemeldet, außer dem, auf dem sie geändert wurde.',
      closing: () => 'Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber dieses Dienstes.',
    },
    changed_by_operator: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraph:
        'der Betreiber dieses Dienstes hat die E-Mail-Adresse Ihres Kontos geändert. Mit dieser Adresse können Sie sich nicht mehr anmelden. Alle Geräte wurden abgemeldet.',
      closing: () => 'Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Betreiber.',
    },
  },
};

const LABELS: Readonly<Record<Language, readonly [email: string, time: string, address: string]>> = {
  en: ['New address', 'Time', 'IP address'],
  de: ['Neue Adresse', 'Zeit', 'IP-Adresse'],
};

export interface ChangedEmail {
  readonly change: EmailChangeStep;
  readonly newEmail: string;
  readonly at: Date;
  /** Of the client; null when it is unknown. */
  readonly address: string | null;
  /** The page where the user can request a link to choose a new password. */
  readonly forgottenUrl: string;
}

/** A notice to the current or earlier address of the account. */
export function emailChangedLetter(language: Language, changed: ChangedEmail): Letter {
  const { change, newEmail, at, address, forgottenUrl } = changed;
  const { subject, paragraph, closing } = TEXTS[language][change];
  const [emailLabel, timeLabel, addressLabel] = LABELS[language];
  return {
    language,
    subject,
    paragraphs: [paragraph],
    facts: [
      [emailLabel, newEmail],
      [timeLabel, timeText(language, at)],
      ...(address === null ? [] : [[addressLabel, address] as const]),
    ],
    closing: [closing(forgottenUrl)],
  };
}
