import pg from 'pg';
import type { DemoAccount } from './demo-account.js';

/**
 * Makes the demo account in the database that is at this address now.
 * @returns what is shown once; `undefined` when somebody made an account meanwhile
 */
export type CreateDemo = (databaseUrl: string) => Promise<DemoAccount | undefined>;

/**
 * Prepares the demo account of a first start, all but the commit. What is committed can be shown this once only, so that
 * is left to whoever knows that the service has started. The rest of the application is loaded only here: asking
 * first saves every later start most of a second.
 * @returns `undefined` when there are accounts already
 */
export async function firstStartDemo(databaseUrl: string): Promise<CreateDemo | undefined> {
  if (await hasAccounts(databaseUrl)) return undefined;
  const { createDemoAccount, demoPassword } = await import('./demo-account.js');
  const password = await demoPassword();
  return (current) => createDemoAccount(current, password);
}

async function hasAccounts(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query('SELECT 1 FROM accounts LIMIT 1')).rowCount !== 0;
  } finally {
    await client.end();
  }
}
