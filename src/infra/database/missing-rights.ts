/** SQLSTATE `insufficient_privilege`. */
const MISSING_RIGHT = '42501';

/** What to tell an operator if the database user lacks a right that a command needs; undefined for other errors. */
export function missingRights(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== MISSING_RIGHT) return undefined;
  return `The database does not let its user do this (${error.message}). Let its user own the database, or grant what docs/postgresql.md lists.`;
}
