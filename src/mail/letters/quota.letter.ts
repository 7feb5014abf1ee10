import { periodEnd } from '../../kernel/time/clock.js';
import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import type { QuotaNotice } from '../notices/account-notice.js';
import { dayText, numberText } from '../time-text.js';
import { settingsHint } from './settings-hint.js';

/** @param account the name of an organization, or the address of a user's account */
export function quotaLetter(
  language: Language,
  { period, percent, used, allowed }: QuotaNotice,
  account: string,
  publicUrl: string,
): Letter {
  const figures = { used: numberText(language, used), allowed: numberText(language, allowed) };
  const reset = dayText(language, periodEnd(period));
  const isUsedUp = percent === 100;
  const url = `${publicUrl}/usage`;
  if (language === 'de')
    return {
      language,
      subject: isUsedUp ? 'Ihr Kontingent ist aufgebraucht' : 'Ihr Kontingent ist zu 80 % verbraucht',
      paragraphs: [
        isUsedUp
          ? 'alle Bearbeitungen dieses Monats sind verbraucht. Neue Aufträge werden abgelehnt, bis der nächste Monat beginnt oder Sie den Tarif wechseln.'
          : '80 % der Bearbeitungen dieses Monats sind verbraucht. Sind alle verbraucht, werden neue Aufträge abgelehnt.',
      ],
      facts: [
        ['Konto', account],
        ['Verbraucht', `${figures.used} von ${figures.allowed}`],
        ['Nächster Monat ab', reset],
      ],
      action: { label: 'Verbrauch ansehen', url },
      closing: [settingsHint(language, 'Inhaber oder Abrechnungskontakt', publicUrl)],
    };
  return {
    language,
    subject: isUsedUp ? "You've used all of your monthly quota" : "You've used 80% of your monthly quota",
    paragraphs: [
      isUsedUp
        ? "All of this month's enhancements have been used. New jobs will be refused until the quota resets or you change your plan."
        : "80% of this month's enhancements have been used. Once all of them are used, new jobs will be refused.",
    ],
    facts: [
      ['Account', account],
      ['Used', `${figures.used} of ${figures.allowed}`],
      ['Resets on', reset],
    ],
    action: { label: 'View usage', url },
    closing: [settingsHint(language, 'an owner or billing contact', publicUrl)],
  };
}
