import { createHash } from 'node:crypto';
import type { SharePageTexts } from './share-page-texts.js';
import type { SharedResult } from './shared-results.js';

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1b20; --dim: #5c5c66; --canvas: #f6f6f8; --card: #fff; --line: #dedee4;
  --check: #ececf0; --accent: #3850c4; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --dim: #a9a9b4; --canvas: #141417; --card: #1e1e23;
  --line: #34343c; --check: #2a2a31; --accent: #93a5ee; --on-accent: #10131f; } }
* { box-sizing: border-box; }
body { display: grid; min-height: 100vh; min-height: 100dvh; margin: 0; place-items: center; padding: 16px;
  background: var(--canvas); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { display: grid; width: fit-content; max-width: min(100%, 1200px); overflow: hidden; border: 1px solid var(--line);
  border-radius: 14px; background: var(--card); }
h1 { margin: 0; font-size: 17px; line-height: 1.4; }
p { margin: 0; color: var(--dim); }
.picture { display: grid; min-width: min(320px, 80vw); place-items: center; }
.frame { display: block; position: relative; }
.picture img { display: block; background: repeating-conic-gradient(var(--check) 0 25%, var(--card) 0 50%) 0 0 / 24px 24px; }
.picture .result { width: auto; max-width: 100%; height: auto; max-height: calc(100vh - 190px); }
.picture .original { display: none; position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.shows:checked ~ .picture .original { display: block; }
.bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px 24px;
  padding: 14px 18px; border-top: 1px solid var(--line); }
.message { max-width: 460px; padding: 32px; }
.message p { margin-top: 8px; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 20px; }
.toggle { display: flex; align-items: center; gap: 8px; cursor: pointer; }
.toggle::before { content: ''; width: 34px; height: 20px; border-radius: 10px; background: var(--dim);
  box-shadow: inset 0 0 0 2px var(--dim);
  background-image: radial-gradient(circle at 10px 10px, var(--card) 6.5px, transparent 7px); }
.shows:checked ~ .bar .toggle::before { background-color: var(--accent); box-shadow: inset 0 0 0 2px var(--accent);
  background-image: radial-gradient(circle at 24px 10px, var(--card) 6.5px, transparent 7px); }
.shows { position: absolute; width: 1px; height: 1px; opacity: 0; }
.shows:focus-visible ~ .bar .toggle, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px;
  border-radius: 8px; }
.button { padding: 9px 18px; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 600;
  text-decoration: none; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Only pictures of this service and the style of the page. */
const CSP = [
  "default-src 'none'",
  "img-src 'self'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The address is a secret: it must not be stored, indexed or sent to others. */
export const SHARE_PAGE_HEADERS = {
  'Content-Security-Policy': CSP,
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept-Language',
} as const;

/** The page of a link. It needs no script. @param token as in its address */
export function sharePage(shared: SharedResult, token: string, texts: SharePageTexts): string {
  const { original, widthPixels: width, heightPixels: height, expiresAt } = shared;
  const [show, picture, label] =
    original === null
      ? ['', '', '']
      : [
          '<input type="checkbox" class="shows" id="shows">',
          `<img class="original" src="${token}/original" width="${width}" height="${height}" alt="${texts.originalAlt}" loading="lazy">`,
          `<label class="toggle" for="shows">${texts.showOriginal}</label>`,
        ];
  return documentOf(
    texts,
    texts.title,
    `<main>
${show}
<div class="picture"><span class="frame"><img class="result" src="${token}/photo" width="${width}" height="${height}" alt="${texts.alt}">${picture}</span></div>
<div class="bar"><div><h1>${texts.title}</h1>
<p>${factsOf(shared, texts)}</p>
<p>${texts.until} <time datetime="${expiresAt.toISOString()}">${dateOf(expiresAt, texts)}</time></p></div>
<div class="actions">${label}<a class="button" href="${token}/download" download>${texts.download}</a></div></div>
</main>`,
  );
}

/** The page of a link that shows nothing. */
export function sharePageWithout(reason: 'unknown' | 'gone' | 'unavailable', texts: SharePageTexts): string {
  const { [`${reason}Title` as const]: title, [reason]: text } = texts;
  return documentOf(texts, title, `<main class="message"><h1>${title}</h1><p>${text}</p></main>`);
}

function documentOf({ language }: SharePageTexts, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="icon" href="../favicon.svg">
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function factsOf(
  { widthPixels, heightPixels, sizeBytes, file }: SharedResult,
  { language }: SharePageTexts,
): string {
  // Binary, as in the dashboard.
  const [value, unit] = sizeBytes < 2 ** 20 ? [sizeBytes / 2 ** 10, 'kB'] : [sizeBytes / 2 ** 20, 'MB'];
  const size = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(value);
  return `${widthPixels} × ${heightPixels} · ${file.format.toUpperCase()} · ${size} ${unit}`;
}

function dateOf(date: Date, { language }: SharePageTexts): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, format).format(date)} UTC`;
}
