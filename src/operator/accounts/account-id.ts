import type { Prepared, Queryable } from '../../infra/database/database.js';

const BY_EMAIL: Prepared = {
  name: 'console_account_by_email',
  text: 'SELECT id FROM accounts WHERE lower(email) = lower($1)',
};

/**
 * The id of the account that a filter names. An id is not looked up, because filters also find deleted accounts by id.
 * @returns undefined when no account has this email address
 */
export async function accountIdOf(on: Queryable, idOrEmail: string): Promise<string | undefined> {
  const text = idOrEmail.trim();
  if (!text.includes('@')) return text;
  return (await on.query<{ id: string }>(BY_EMAIL, [text]))[0]?.id;
}
