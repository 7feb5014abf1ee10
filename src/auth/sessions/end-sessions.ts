import type { Prepared, Queryable } from '../../infra/database/database.js';

const END_ALL: Prepared = {
  name: 'session_end_all',
  text: 'DELETE FROM sessions WHERE account_id = $1 RETURNING account_id',
};

/**
 * Signs a user out everywhere. A trigger of the table ends the event streams of the sessions.
 * @returns the number of sessions
 */
export async function endSessions(on: Queryable, accountId: string): Promise<number> {
  return (await on.query(END_ALL, [accountId])).length;
}
