import { built } from '../../lib/built.mjs';

const ROOMY = { rpm: 1_000_000, enhancements: 1_000_000, storageBytes: 1e12, keys: 10 };
const SCOPES = ['image:read', 'image:write', 'ai:enhance', 'webhook:manage'];

/** Creates an account with practically unlimited quotas, and a key with all scopes. */
export async function createAccount(databaseUrl, name) {
  const { withDatabase } = await built('app/role/database-session.js');
  const { AccountsService } = await built('accounts/accounts.service.js');
  return withDatabase(databaseUrl, async (dataSource) => {
    const email = `${name}@chaos.example`;
    const { account, key } = await new AccountsService(dataSource).create(email, 'enterprise', ROOMY);
    await dataSource.query('UPDATE api_keys SET scopes = $2 WHERE account_id = $1', [account.id, SCOPES]);
    return { id: account.id, key: key.key };
  });
}
