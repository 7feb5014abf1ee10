import type { Queryable } from '../../infra/database/database.js';

/** Asks every worker to look at its model repository again. */
export const MODELS_RELOAD = 'models_reload';

/** Makes every worker look at its models now; what it has refused before is tried once more. */
export async function requestModelReload(on: Queryable): Promise<void> {
  await on.query(`SELECT pg_notify('${MODELS_RELOAD}', 'now')`);
}
