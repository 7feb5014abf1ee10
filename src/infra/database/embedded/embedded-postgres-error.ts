/** Something about the embedded PostgreSQL that a person has to know; the message is a whole sentence. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
