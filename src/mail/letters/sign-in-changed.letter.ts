import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { timeText } from '../time-text.js';

/** Changes to how a user signs in. */
export const SIGN_IN_CHANGES = [
  'two_factor_on',
  'two_factor_off',
  'recovery_codes',
  'passkey_added',
  'passkey_removed',
  'identity_linked',
  'identity_unlinked',
  'access_removed',
  'password_reset_by_operator',
  'two_factor_reset',
  'identity_unlinked_by_operator',
] as const;
export type SignInChange = (typeof SIGN_IN_CHANGES)[number];
/** Changes by an operator. The command-line tool that makes them may have no access to a mail server. */
export type OperatorChange =
  | 'password_reset_by_operator'
  | 'two_factor_reset'
  | 'identity_unlinked_by_operator';

const BY_OPERATOR: ReadonlySet<SignInChange> = new Set<OperatorChange>([
  'password_reset_by_operator',
  'two_factor_reset',
  'identity_unlinked_by_operator',
]);

type Text = Readonly<Record<SignInChange, { readonly subject: string; readonly paragraph: string }>>;

const ENGLISH: Text = {
  two_factor_on: {
    subject: 'Two-factor authentication is on',
    paragraph: 'Two-factor authentication was turned on for your account.',
  },
  two_factor_off: {
    subject: 'Two-factor authentication is off',
    paragraph: 'Two-factor authentication was turned off. You now sign in with only your password.',
  },
  recovery_codes: {
    subject: 'New recovery codes',
    paragraph: 'New recovery codes were created for your account. The previous ones stopped working.',
  },
  passkey_added: {
    subject: 'A passkey was added',
    paragraph: 'A passkey was added to your account. It can be used to sign in without your password.',
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    paragraph: 'A passkey was removed from your account. It can no longer be used to sign in.',
  },
  identity_linked: {
    subject: 'A sign-in provider was linked',
    paragraph:
      'A sign-in provider was linked to your account. It can be used to sign in without your password.',
  },
  identity_unlinked: {
    subject: 'A sign-in provider was unlinked',
    paragraph: 'A sign-in provider was unlinked from your account. It can no longer be used to sign in.',
  },
  password_reset_by_operator: {
    subject: 'Your password was replaced',
    paragraph:
      'The operator of this service gave your account a new password and ended all sessions. Earlier passwords no longer work.',
  },
  two_factor_reset: {
    subject: 'Two-factor authentication was reset',
    paragraph:
      'The operator of this service turned off two-factor authentication for your account. You now sign in with only your password, and your recovery codes no longer work.',
  },
  identity_unlinked_by_operator: {
    subject: 'A sign-in provider was unlinked',
    paragraph:
      'The operator of this service unlinked a sign-in provider from your account. It can no longer be used to sign in.',
  },
  access_removed: {
    subject: 'Earlier access to your account was removed',
    paragraph:
      'Your email address was verified for the first time. Before that, someone else could have signed up with it. For your security, passkeys, two-factor authentication, sign-in providers, API keys, members and invitations that were added before then were removed, also from organizations that the account created. Add back the ones that are yours, and check your webhook endpoints and share links.',
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
  passkey_removed: {
    subject: 'Ein Passkey wurde entfernt',
    paragraph: 'aus Ihrem Konto wurde ein Passkey entfernt. Mit ihm kann man sich nicht mehr anmelden.',
  },
  identity_linked: {
    subject: 'Ein Anmeldedienst wurde verknüpft',
    paragraph:
      'ein Benutzer des Anmeldedienstes wurde mit Ihrem Konto verknüpft. Er meldet sich ohne Ihr Passwort an.',
  },
  identity_unlinked: {
    subject: 'Ein Anmeldedienst wurde getrennt',
    paragraph:
      'ein Benutzer des Anmeldedienstes wurde von Ihrem Konto getrennt und kann sich nicht mehr bei ihm anmelden.',
  },
  password_reset_by_operator: {
    subject: 'Ihr Passwort wurde ersetzt',
    paragraph:
      'der Betreiber dieses Dienstes hat Ihrem Konto ein neues Passwort gegeben und alle Sitzungen beendet. Frühere Passwörter gelten nicht mehr.',
  },
  two_factor_reset: {
    subject: 'Zwei-Faktor-Authentifizierung wurde zurückgesetzt',
    paragraph:
      'der Betreiber dieses Dienstes hat die Zwei-Faktor-Authentifizierung Ihres Kontos ausgeschaltet. Für die Anmeldung genügt jetzt Ihr Passwort. Ihre Wiederherstellungscodes gelten nicht mehr.',
  },
  identity_unlinked_by_operator: {
    subject: 'Ein Anmeldedienst wurde getrennt',
    paragraph:
      'der Betreiber dieses Dienstes hat einen Benutzer des Anmeldedienstes von Ihrem Konto getrennt. Er kann sich nicht mehr bei ihm anmelden.',
  },
  access_removed: {
    subject: 'Frühere Zugänge zu Ihrem Konto wurden entfernt',
    paragraph:
      'Ihre E-Mail-Adresse wurde zum ersten Mal bestätigt. Vorher hätte sich jemand anderes mit ihr registrieren können. Daher gelten frühere Passkeys, der zweite Faktor, Anmeldeanbieter, API-Schlüssel, Mitglieder und Einladungen nicht mehr, auch in Organisationen, die das Konto angelegt hat. Fügen Sie wieder hinzu, was Ihnen gehört, und prüfen Sie Webhook-Endpunkte und Freigabelinks.',
  },
};

/**
 * @param address of the client that made the change; null when it is unknown
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
        BY_OPERATOR.has(change)
          ? `Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Betreiber und prüfen Sie diese Seite: ${securityUrl}`
          : `Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie diese Seite: ${securityUrl}`,
      ],
    };
  }
  const { subject, paragraph } = ENGLISH[change];
  return {
    language,
    subject,
    paragraphs: [paragraph],
    facts: [['Time', time], ...(address === null ? [] : [['IP address', address] as const])],
    closing: [
      BY_OPERATOR.has(change)
        ? `If you didn't ask for that, contact the operator and check this page: ${securityUrl}`
        : `If that wasn't you, change your password right away and check this page: ${securityUrl}`,
    ],
  };
}
