import type { Language } from './language.js';

/** The text of an email. Each paragraph is plain text. */
export interface Letter {
  readonly language: Language;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The main action, shown as a button. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Names and values, such as the time and place of a sign-in. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  /** Shown after the action. Links to pages of the service can be clicked. */
  readonly closing?: readonly string[];
}

/** An email, ready to be sent. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const GREETING: Readonly<Record<Language, string>> = { en: 'Hello,', de: 'Guten Tag,' };
const SENT_BY: Readonly<Record<Language, string>> = { en: 'Sent by', de: 'Gesendet von' };
const LINK_HINT: Readonly<Record<Language, string>> = {
  en: 'If the button does not work, open this link:',
  de: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
};

/** @param service its public address, shown at the end of every mail */
export function renderLetter(letter: Letter, service: string): MailContent {
  return {
    subject: letter.subject,
    text: textOf(letter, service),
    html: htmlOf(letter, service),
  };
}

function textOf(letter: Letter, service: string): string {
  const { language, paragraphs, action, facts = [], closing = [] } = letter;
  const parts = [
    GREETING[language],
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...closing,
    // The trailing space is part of the separator before signatures (RFC 3676, 4.3).
    `-- \n${SENT_BY[language]} Image Enhancement, ${service}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const BODY =
  'margin:0;padding:24px 16px;background:#f4f5f7;color:#1b1f24;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif';
const CARD =
  'max-width:560px;margin:0 auto;padding:28px 32px;background:#ffffff;border:1px solid #dfe2e6;border-radius:8px';
const BUTTON =
  'display:inline-block;padding:11px 20px;border-radius:6px;background:#1f5fbf;color:#ffffff;font-weight:600;text-decoration:none';
const SMALL = 'margin:0 0 8px;font-size:14px;color:#57606a';

function htmlOf(letter: Letter, service: string): string {
  const { language, subject, paragraphs, action, facts = [], closing = [] } = letter;
  const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#57606a;vertical-align:top">${escapeHtml(name)}</td><td style="padding:2px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  const parts = [
    paragraph(GREETING[language]),
    ...paragraphs.map(paragraph),
    ...(rows.length > 0
      ? [
          `<table role="presentation" style="margin:0 0 20px;border-collapse:collapse">${rows.join('')}</table>`,
        ]
      : []),
    ...(action === undefined ? [] : [buttonOf(action, language)]),
    ...closing.map((text) => `<p style="margin:0 0 16px">${linked(text, service)}</p>`),
  ];
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${BODY}"><div style="${CARD}">`,
    ...parts,
    `</div><p style="max-width:560px;margin:16px auto 0;font-size:13px;color:#57606a">${escapeHtml(SENT_BY[language])} <a href="${escapeHtml(service)}" style="color:#57606a">Image Enhancement</a></p>`,
    '</body></html>',
    '',
  ].join('\n');
}

function buttonOf(
  { label, url }: { readonly label: string; readonly url: string },
  language: Language,
): string {
  const href = escapeHtml(url);
  return [
    `<p style="margin:24px 0"><a href="${href}" style="${BUTTON}">${escapeHtml(label)}</a></p>`,
    `<p style="${SMALL}">${escapeHtml(LINK_HINT[language])}</p>`,
    `<p style="${SMALL};margin-bottom:20px;word-break:break-all"><a href="${href}" style="color:#1f5fbf">${href}</a></p>`,
  ].join('\n');
}

/** Not every email program makes links of addresses in the text. Only addresses of the service become links. */
function linked(text: string, service: string): string {
  const [before = '', path] = text.split(`${service}/`, 2);
  if (path === undefined) return escapeHtml(text);
  const [end = ''] = path.split(' ', 1);
  const url = escapeHtml(`${service}/${end}`);
  const after = escapeHtml(path.slice(end.length));
  return `${escapeHtml(before)}<a href="${url}" style="color:#1f5fbf;word-break:break-all">${url}</a>${after}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
