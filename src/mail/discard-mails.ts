import type { Prepared, Queryable } from '../infra/database/database.js';

const DISCARD: Prepared = {
  name: 'mails_discard',
  text: `UPDATE mails SET status = 'discarded', due_at = NULL, ended_at = now(), sealed_content = NULL
          WHERE id = ANY ($1::text[]) AND status = 'pending'`,
};

/**
 * Cancels unsent emails whose content no longer applies. An attempt in progress may still deliver one.
 * @param ids null for something that was not mailed
 */
export async function discardMails(tx: Queryable, ids: readonly (string | null)[]): Promise<void> {
  const mailed = ids.filter((id) => id !== null);
  if (mailed.length > 0) await tx.query(DISCARD, [mailed]);
}
