import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { timeText } from '../time-text.js';

/** What changed about how a user signs in. */
export const SIGN_IN_CHANGES = [
  'two_factor_on',
  'two_factor_off',
  'recovery_codes',
  'passkey_added',
  'access_removed',
] as const;
export type SignInChange = (typeof SIGN_IN_CHANGES)[number];

type Text = Readonly<Record<SignInChange, { readonly subject: string; readonly paragraph: string }>>;

const ENGLISH: Text = {
  two_factor_on: {
    subject: 'Two-factor authentication is on',
    paragraph: 'Two-factor authentication was turned on for your account.',
  },
  two_factor_off: {
    subject: 'Two-factor authentication is off',
    paragraph: 'Two-factor authentication was turned off. Signing in takes only your password now.',
  },
  recovery_codes: {
    subject: 'New recovery codes',
    paragraph: 'New recovery codes were created for your account. The previous ones stopped working.',
  },
  passkey_added: {
    subject: 'A passkey was added',
    paragraph: 'A passkey was added to your account. It signs in without your password.',
  },
  access_removed: {
    subject: 'Earlier access to your account was removed',
    paragraph:
      'Your email address was verified for the first time. Before that, someone else could have signed up with it. Therefore the passkeys, second factor, sign-in providers, API keys, members and invitations from before no longer work. Add again what is yours, and check webhook endpoints and share links.',
  },
};

const GERMAN: Text = {
  two_factor_on: {
    subject: 'Zwei-Faktor-Authentifizierung ist eingeschaltet',
    paragraph: 'die Zwei-Faktor-Authentifizierung Ihres Kontos wurde eingeschaltet.',
  },
  two_factor_off: {
    subject: 'Zwei-Faktor-Authentifizierung ist ausgeschaltet',
    paragraph:
      'die Zwei-Faktor-Authentifizierung Ihres Kontos wurde ausgeschaltet. Für die Anmeldung genügt jetzt Ihr Passwort.',
  },
  recovery_codes: {
    subject: 'Neue Wiederherstellungscodes',
    paragraph:
      'für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
  },
  passkey_added: {
    subject: 'Ein Passkey wurde hinzugefügt',
    paragraph: 'Ihrem Konto wurde ein Passkey hinzugefügt. Mit ihm meldet man sich ohne Ihr Passwort an.',
  },
  access_removed: {
    subject: 'Frühere Zugänge zu Ihrem Konto wurden entfernt',
    paragraph:
      'Ihre E-Mail-Adresse wurde zum ersten Mal bestätigt. Vorher hätte sich jemand anderes mit ihr registrieren können. Daher gelten frühere Passkeys, der zweite Faktor, Anmeldeanbieter, API-Schlüssel, Mitglieder und Einladungen nicht mehr. Fügen Sie wieder hinzu, was Ihnen gehört, und prüfen Sie Webhook-Endpunkte und Freigabelinks.',
  },
};

/**
 * @param address of the client that changed it; null when it is unknown
 * @param securityUrl the page where the user can change it
 */
export function signInChangedLetter(
  language: Language,
  change: SignInChange,
  at: Date,
  address: string | null,
  securityUrl: string,
): Letter {
  const time = timeText(language, at);
  if (language === 'de') {
    const { subject, paragraph } = GERMAN[change];
    return {
      language,
      subject,
      paragraphs: [paragraph],
      facts: [['Zeit', time], ...(address === null ? [] : [['IP-Adresse', address] as const])],
      closing: [
        `Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie diese Seite: ${securityUrl}`,
      ],
    };
  }
  const { subject, paragraph } = ENGLISH[change];
  return {
    language,
    subject,
    paragraphs: [paragraph],
    facts: [['Time', time], ...(address === null ? [] : [['IP address', address] as const])],
    closing: [`If that wasn't you, change your password right away and check this page: ${securityUrl}`],
  };
}
