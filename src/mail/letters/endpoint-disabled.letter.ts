import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import type { EndpointDisabledReason, EndpointNotice } from '../notices/account-notice.js';
import { settingsHint } from './settings-hint.js';

const REASONS: Readonly<Record<Language, Readonly<Record<EndpointDisabledReason, string>>>> = {
  en: {
    gone: 'It responded with 410 Gone.',
    failing: 'Every delivery has been failing for a long time.',
    operator: 'An operator of this service disabled it.',
  },
  de: {
    gone: 'Er hat mit 410 Gone geantwortet.',
    failing: 'Alle Zustellungen sind lange Zeit fehlgeschlagen.',
    operator: 'Ein Betreiber dieses Dienstes hat ihn abgeschaltet.',
  },
};

/** @param account the name of an organization, or the address of a user's account */
export function endpointDisabledLetter(
  language: Language,
  { origin, reason }: EndpointNotice,
  account: string,
  publicUrl: string,
): Letter {
  const url = `${publicUrl}/webhooks/endpoints`;
  const text = REASONS[language][reason];
  if (language === 'de')
    return {
      language,
      subject: 'Ein Webhook-Endpunkt wurde abgeschaltet',
      paragraphs: ['ein Webhook-Endpunkt erhält keine Ereignisse mehr, bis Sie ihn wieder einschalten.'],
      facts: [
        ['Konto', account],
        ['Endpunkt', origin],
        ['Grund', text],
      ],
      action: { label: 'Endpunkte ansehen', url },
      closing: [settingsHint(language, 'Inhaber, Administrator oder Entwickler', publicUrl)],
    };
  return {
    language,
    subject: 'A webhook endpoint was disabled',
    paragraphs: ["A webhook endpoint was disabled. It won't receive events until you enable it again."],
    facts: [
      ['Account', account],
      ['Endpoint', origin],
      ['Reason', text],
    ],
    action: { label: 'View endpoints', url },
    closing: [settingsHint(language, 'an owner, admin or developer', publicUrl)],
  };
}
