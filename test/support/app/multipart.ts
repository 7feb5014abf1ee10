/** One part of a multipart body; a plain form field without `filename`. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Buffer | string;
}

export const BOUNDARY = 'test-boundary-7f3a';
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Builds a multipart body by hand, for bodies that no library would send. `ended: false` omits the last line. */
export function multipart(parts: readonly Part[], { ended = true } = {}): Buffer {
  const chunks = parts.flatMap((part) => [head(part), Buffer.from(part.bytes), Buffer.from('\r\n')]);
  return Buffer.concat([...chunks, Buffer.from(ended ? `--${BOUNDARY}--\r\n` : '')]);
}

function head({ name, filename, type }: Part): Buffer {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const declared = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${declared}\r\n`,
  );
}

/** The usual body: one part named `file`. */
export function fileBody(bytes: Buffer): Buffer {
  return multipart([{ name: 'file', filename: 'photo.jpg', type: 'image/jpeg', bytes }]);
}
