const MAX_LENGTH = 255;
/** What client libraries send when there are only bytes and no file name. */
const PLACEHOLDERS = new Set(['image', 'blob', 'file']);
/** Control characters, direction marks and the like; the joiners of Persian, Indic scripts and emoji stay. */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The file name of an upload as it is stored and shown: without folders or invisible characters, at most 255 characters.
 * @param sent as it stands in the multipart header; a client need not send one
 * @returns null when nothing readable is left
 */
export function cleanFileName(sent: string | undefined): string | null {
  const base = (sent ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = base.normalize('NFC').replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE, '').trim();
  const name = shortened(clean);
  return /^[. ]*$/.test(name) || PLACEHOLDERS.has(name) ? null : name;
}

/** Shortens the stem, not the extension, and never splits a character. */
function shortened(name: string): string {
  if (name.length <= MAX_LENGTH) return name;
  const extension = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, MAX_LENGTH - extension.length);
  return `${stem.replace(/[\uD800-\uDBFF]$/, '')}${extension}`;
}
