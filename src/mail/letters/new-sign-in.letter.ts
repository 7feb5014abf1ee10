import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { timeText } from '../time-text.js';

/** A sign-in from a device that was not seen before. */
export interface NewSignIn {
  readonly at: Date;
  /** Browser and system, such as "Firefox (Linux)"; null when the client did not send them. */
  readonly device: string | null;
  /** Address of the client; null when it is unknown. */
  readonly address: string | null;
}

export function newSignInLetter(
  language: Language,
  { at, device, address }: NewSignIn,
  publicUrl: string,
): Letter {
  const isGerman = language === 'de';
  const facts: Letter['facts'] = [
    [isGerman ? 'Zeit' : 'Time', timeText(language, at)],
    [isGerman ? 'Gerät' : 'Device', device ?? (isGerman ? 'Unbekannt' : 'Unknown')],
    ...(address === null ? [] : [[isGerman ? 'IP-Adresse' : 'IP address', address] as const]),
  ];
  if (isGerman)
    return {
      language,
      subject: 'Neue Anmeldung bei Ihrem Konto',
      paragraphs: ['jemand hat sich von einem Gerät, das wir nicht kennen, bei Ihrem Konto angemeldet.'],
      facts,
      action: { label: 'Geräte ansehen', url: `${publicUrl}/account` },
      closing: [
        'Wenn Sie das waren, müssen Sie nichts tun.',
        `Wenn nicht, wählen Sie sofort ein neues Passwort. Das meldet alle Geräte ab: ${publicUrl}/forgot-password`,
      ],
    };
  return {
    language,
    subject: 'New sign-in to your account',
    paragraphs: ["Someone signed in to your account from a device that we haven't seen before."],
    facts,
    action: { label: 'View devices', url: `${publicUrl}/account` },
    closing: [
      'If that was you, you can ignore this email.',
      `If not, choose a new password right away. That signs out all devices: ${publicUrl}/forgot-password`,
    ],
  };
}
