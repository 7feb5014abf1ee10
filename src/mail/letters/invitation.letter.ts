import type { Role } from '../../kernel/accounts/roles.js';
import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { roleText } from '../role-text.js';

export interface InvitationText {
  /** Name of the organization, or the address of its user. */
  readonly organization: string;
  /** Address of the member who sent the invitation. */
  readonly invitedBy: string;
  readonly role: Role;
  /** The page that accepts the invitation, valid for seven days. */
  readonly url: string;
}

/** Names that users choose appear only in the table, so that nobody mistakes them for text of the service. */
export function invitationLetter(
  language: Language,
  { organization, invitedBy, role, url }: InvitationText,
): Letter {
  if (language === 'de')
    return {
      language,
      subject: 'Einladung zu Image Enhancement',
      paragraphs: ['Sie wurden eingeladen, in einer Organisation mitzuarbeiten.'],
      facts: [
        ['Organisation', organization],
        ['Eingeladen von', invitedBy],
        ['Rolle', roleText(language, role)],
      ],
      action: { label: 'Einladung ansehen', url },
      closing: [
        'Der Link gilt sieben Tage und funktioniert einmal. Melden Sie sich mit dieser Adresse an oder legen Sie damit ein Konto an.',
        'Wenn Sie die Person nicht kennen, die Sie eingeladen hat, müssen Sie nichts tun.',
      ],
    };
  return {
    language,
    subject: "You've been invited to Image Enhancement",
    paragraphs: ["You've been invited to join an organization."],
    facts: [
      ['Organization', organization],
      ['Invited by', invitedBy],
      ['Role', roleText(language, role)],
    ],
    action: { label: 'View invitation', url },
    closing: [
      'The link can be used once and expires in seven days. Sign in, or create an account, with this email address.',
      "If you don't know the person who invited you, you can ignore this email.",
    ],
  };
}
