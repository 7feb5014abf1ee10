/** The parts of an email with a text and an HTML alternative. */
export interface ParsedMail {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @param raw as received over SMTP */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = partOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error(`not a multipart mail: ${raw.slice(0, 500)}`);
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, '')));
  const contentOf = (type: string): string => {
    const found = parts.find((part) => part.headers['content-type']?.startsWith(type) === true);
    if (found === undefined) throw new Error(`no ${type} in: ${raw.slice(0, 500)}`);
    return decoded(found.body, found.headers['content-transfer-encoding']).replaceAll('\r\n', '\n');
  };
  return {
    headers,
    subject: decodedWords(headers['subject'] ?? ''),
    text: contentOf('text/plain'),
    html: contentOf('text/html'),
  };
}

function partOf(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) };
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? fromQuoted(body.replaceAll('=\r\n', '')) : body;
}

function fromQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodedWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : fromQuoted(word.replaceAll('_', ' ')),
    );
}
