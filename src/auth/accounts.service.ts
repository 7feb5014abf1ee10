import type { DataSource, EntityManager } from 'typeorm';
import { newId } from '../kernel/ids.js';
import { effectiveLimits, type Plan, type PlanLimits } from '../kernel/plans.js';
import { DEFAULT_SCOPES, type Scope } from '../kernel/scopes.js';
import { AccountEntity } from './account.entity.js';
import { generateApiKey } from './api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** A request of an operator or owner that cannot be done; the message is for people. */
export class AccountError extends Error {}

export interface IssuedKey {
  readonly id: string;
  /** The secret, here and never again. */
  readonly key: string;
}

/** Accounts and their keys, as operators and owners manage them. */
export class AccountsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes an account with its first key. @throws AccountError when the address is taken */
  async create(
    email: string,
    plan: Plan,
    limits: Partial<PlanLimits> | null,
  ): Promise<{ readonly account: AccountEntity; readonly key: IssuedKey }> {
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new AccountError(`"${email}" is not an email address.`);
    return this.dataSource.transaction(async (manager) => {
      const taken = await manager
        .createQueryBuilder(AccountEntity, 'account')
        .where('lower(account.email) = lower(:email)', { email })
        .getExists();
      if (taken) throw new AccountError(`There is an account with the address ${email} already.`);
      const account = manager.create(AccountEntity, {
        id: newId('account'),
        email,
        plan,
        limits,
        createdAt: new Date(),
      });
      await manager.insert(AccountEntity, account);
      const key = await this.issueKey(manager, account, 'First key', DEFAULT_SCOPES, null);
      return { account, key };
    });
  }

  async list(): Promise<AccountEntity[]> {
    return this.dataSource.manager.find(AccountEntity, { order: { id: 'ASC' } });
  }

  /** By id or email. @throws AccountError */
  async find(idOrEmail: string): Promise<AccountEntity> {
    const account = await this.dataSource.manager
      .createQueryBuilder(AccountEntity, 'account')
      .where('account.id = :idOrEmail OR lower(account.email) = lower(:idOrEmail)', { idOrEmail })
      .getOne();
    if (account === null) throw new AccountError(`There is no account "${idOrEmail}".`);
    return account;
  }

  /** Without `limits` the numbers agreed before are dropped: the new plan's hold. */
  async setPlan(idOrEmail: string, plan: Plan, limits: Partial<PlanLimits> | null): Promise<AccountEntity> {
    const account = await this.find(idOrEmail);
    await this.dataSource.manager.update(AccountEntity, { id: account.id }, { plan, limits });
    return Object.assign(account, { plan, limits });
  }

  /** @throws AccountError when the plan's number of keys is reached */
  async createKey(
    idOrEmail: string,
    name: string,
    scopes: readonly Scope[],
    expiresAt: Date | null,
  ): Promise<IssuedKey> {
    const found = await this.find(idOrEmail);
    return this.dataSource.transaction(async (manager) => {
      // Two at once must not both find the last free place.
      const account = await manager.findOneOrFail(AccountEntity, {
        where: { id: found.id },
        lock: { mode: 'pessimistic_write' },
      });
      return this.issueKey(manager, account, name, scopes, expiresAt);
    });
  }

  /** Newest first, revoked ones included. */
  async listKeys(idOrEmail: string): Promise<ApiKeyEntity[]> {
    const { id } = await this.find(idOrEmail);
    return this.dataSource.manager.find(ApiKeyEntity, { where: { accountId: id }, order: { id: 'DESC' } });
  }

  /** Ends a key at once. @throws AccountError */
  async revokeKey(keyId: string): Promise<void> {
    const { affected } = await this.dataSource.manager
      .createQueryBuilder()
      .update(ApiKeyEntity)
      .set({ revokedAt: () => 'now()' })
      .where('id = :keyId AND revoked_at IS NULL', { keyId })
      .execute();
    if (affected !== 1) throw new AccountError(`There is no active key "${keyId}".`);
  }

  private async issueKey(
    manager: EntityManager,
    account: AccountEntity,
    name: string,
    scopes: readonly Scope[],
    expiresAt: Date | null,
  ): Promise<IssuedKey> {
    const limit = effectiveLimits(account.plan, account.limits).keys;
    const active = await manager
      .createQueryBuilder(ApiKeyEntity, 'key')
      .where('key.account_id = :id AND key.revoked_at IS NULL', { id: account.id })
      .andWhere('(key.expires_at IS NULL OR key.expires_at > now())')
      .getCount();
    if (active >= limit) {
      throw new AccountError(
        `The account has ${active} of the ${limit} keys that its plan (${account.plan}) allows. Revoke one or change the plan.`,
      );
    }
    const { key, ...stored } = generateApiKey();
    const id = newId('key');
    await manager.insert(ApiKeyEntity, {
      id,
      accountId: account.id,
      name,
      scopes: [...scopes],
      expiresAt,
      ...stored,
    });
    return { id, key };
  }
}
