import { randomBytes } from 'node:crypto';
import { AccountEntity } from '../../../src/accounts/account.entity.js';
import { AccountsService } from '../../../src/accounts/accounts.service.js';
import { ApiKeyEntity } from '../../../src/auth/keys/api-key.entity.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import type { PlanLimits } from '../../../src/kernel/plans.js';

/** A new account with its key. */
export interface FlowAccount {
  readonly accountId: string;
  readonly key: string;
}

/** No flow is about limits, unless it says so. */
const ROOMY: PlanLimits = { rpm: 1_000_000, enhancements: 1_000_000, storageBytes: 1e12, keys: 10 };

/** Creates an account like an operator. */
export async function createFlowAccount(
  databaseUrl: string,
  limits: Partial<PlanLimits> = {},
): Promise<FlowAccount> {
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 2,
    applicationName: 'ies-flow',
    entities: [AccountEntity, ApiKeyEntity],
  });
  await dataSource.initialize();
  try {
    const email = `${randomBytes(8).toString('hex')}@flow.test`;
    const { account, key } = await new AccountsService(dataSource).create(email, 'enterprise', {
      ...ROOMY,
      ...limits,
    });
    return { accountId: account.id, key: key.key };
  } finally {
    await dataSource.destroy();
  }
}
