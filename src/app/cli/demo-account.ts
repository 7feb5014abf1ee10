import { AccountsService } from '../../auth/accounts.service.js';
import { withDatabase } from './database-session.js';

/** Makes the account of a first start, so that there is a key to try; null when there are accounts already. */
export async function createDemoAccount(
  databaseUrl: string,
): Promise<{ accountId: string; key: string } | null> {
  return withDatabase(databaseUrl, async (dataSource) => {
    const accounts = new AccountsService(dataSource);
    if ((await accounts.list()).length > 0) return null;
    const { account, key } = await accounts.create('demo@localhost', 'personal', null);
    return { accountId: account.id, key: key.key };
  });
}
