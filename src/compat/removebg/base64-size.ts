/** Space for the other fields of a body, and for slashes that a JSON encoder escapes. */
const FIELDS_BYTES = 512 * 1024;
/**
 * Percent-escapes of `+`, `/` and `=` make the Base64 of an image 6% longer, and those of line breaks another 4%. An
 * encoder that escapes every character is limited to smaller files.
 */
const ESCAPED = 9 / 8;

/** Largest JSON body, or field of a form, with the Base64 of a file of so many bytes. */
export function base64Bytes(fileBytes: number): number {
  return Math.ceil((fileBytes * 4) / 3) + FIELDS_BYTES;
}

/** Like `base64Bytes`, for a URL-encoded body. */
export function escapedBase64Bytes(fileBytes: number): number {
  return Math.ceil(base64Bytes(fileBytes) * ESCAPED);
}
