import { withClient } from '../infra/database/with-client.js';
import type { DemoAccount } from './demo-account.js';

/**
 * Creates the demo account in the database at this URL.
 * @returns the credentials, shown once; `undefined` when an account was created in the meantime
 */
export type CreateDemo = (databaseUrl: string) => Promise<DemoAccount | undefined>;

/**
 * Prepares the demo account of a first start without committing it. Committed credentials can be shown only once, so
 * the caller commits when the service has started. Loads the rest of the application only when needed, which saves
 * later starts most of a second.
 * @returns `undefined` when an account exists
 */
export async function firstStartDemo(databaseUrl: string): Promise<CreateDemo | undefined> {
  if (await hasAccounts(databaseUrl)) return undefined;
  const { createDemoAccount, demoPassword } = await import('./demo-account.js');
  const password = await demoPassword();
  return (current) => createDemoAccount(current, password);
}

async function hasAccounts(databaseUrl: string): Promise<boolean> {
  const { rowCount } = await withClient({ connectionString: databaseUrl }, (client) =>
    client.query('SELECT 1 FROM accounts LIMIT 1'),
  );
  return rowCount !== 0;
}
