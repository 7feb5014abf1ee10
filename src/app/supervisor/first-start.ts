import pg from 'pg';
import type { DemoAccount } from '../cli/demo-account.js';

/**
 * Makes the demo account of a first start. The rest of the application is loaded only then: asking first
 * saves every later start most of a second.
 * @returns what is shown once; `undefined` when there are accounts already
 */
export async function demoAtFirstStart(databaseUrl: string): Promise<DemoAccount | undefined> {
  if (await hasAccounts(databaseUrl)) return undefined;
  const { createDemoAccount } = await import('../cli/demo-account.js');
  return (await createDemoAccount(databaseUrl)) ?? undefined;
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
