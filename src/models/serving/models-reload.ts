import type { Queryable } from '../../infra/database/database.js';

/** Makes every worker read its model repository again. */
export const MODELS_RELOAD = 'models_reload';

/** Makes every worker check its models now, including refused ones. */
export async function requestModelReload(on: Queryable): Promise<void> {
  await on.query(`SELECT pg_notify('${MODELS_RELOAD}', 'now')`);
}
