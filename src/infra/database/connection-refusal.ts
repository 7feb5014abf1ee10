/** SQLSTATEs with which PostgreSQL refuses a connection: wrong user, wrong password, no such database. */
const REFUSALS = new Set(['28000', '28P01', '3D000']);

/** What to tell an operator if PostgreSQL refused the connection; undefined for other errors. */
export function connectionRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !REFUSALS.has(String(error.code))) return undefined;
  return `The database refuses the connection (${error.message}). Check user, password and name of the database in DATABASE_URL.`;
}
