/** The texts of the page behind a link. */
export interface SharePageTexts {
  readonly language: 'en' | 'de';
  readonly title: string;
  readonly alt: string;
  readonly originalAlt: string;
  readonly showOriginal: string;
  readonly download: string;
  /** Before the date. */
  readonly until: string;
  readonly unknownTitle: string;
  readonly unknown: string;
  readonly goneTitle: string;
  readonly gone: string;
  readonly unavailableTitle: string;
  readonly unavailable: string;
}

const EN: SharePageTexts = {
  language: 'en',
  title: 'Shared photo',
  alt: 'The shared photo',
  originalAlt: 'The original of the shared photo',
  showOriginal: 'Show the original',
  download: 'Download',
  until: 'Available until',
  unknownTitle: 'Link not found',
  unknown:
    'This link is incomplete, was revoked, or expired a while ago. Ask the person who sent it for a new one.',
  goneTitle: 'Link expired',
  gone: 'This photo is no longer shared. Ask the person who sent the link for a new one.',
  unavailableTitle: 'Temporarily unavailable',
  unavailable: 'This photo cannot be shown right now. Try again in a few minutes.',
};

const DE: SharePageTexts = {
  language: 'de',
  title: 'Geteiltes Foto',
  alt: 'Das geteilte Foto',
  originalAlt: 'Das Original des geteilten Fotos',
  showOriginal: 'Original anzeigen',
  download: 'Herunterladen',
  until: 'Verfügbar bis',
  unknownTitle: 'Link nicht gefunden',
  unknown:
    'Dieser Link ist unvollständig, wurde widerrufen oder ist schon länger abgelaufen. Bitten Sie um einen neuen Link.',
  goneTitle: 'Link abgelaufen',
  gone: 'Dieses Foto wird nicht mehr geteilt. Bitten Sie um einen neuen Link.',
  unavailableTitle: 'Vorübergehend nicht verfügbar',
  unavailable:
    'Dieses Foto kann gerade nicht angezeigt werden. Versuchen Sie es in ein paar Minuten noch einmal.',
};

/** In German when the browser prefers it to English. */
export function sharePageTexts(acceptLanguage: string | undefined): SharePageTexts {
  const preferred = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean);
      return { language: tag.split('-')[0], weight: Number(weight ?? 1) };
    })
    .filter(({ language, weight }) => (language === 'de' || language === 'en') && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return preferred[0]?.language === 'de' ? DE : EN;
}
