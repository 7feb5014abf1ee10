/** The message of an error; anything else that was thrown, as text. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same as a part of a sentence: one line of at most 400 characters, without a trailing period. */
export function errorLine(error: unknown): string {
  return errorText(error).replace(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, 400);
}
