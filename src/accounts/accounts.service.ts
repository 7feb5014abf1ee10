import { type DataSource, Like } from 'typeorm';
import { auditLog } from '../audit/audit-log.js';
import { Database } from '../infra/database/database.js';
import { isEmail } from '../kernel/email.js';
import { ID_PREFIXES, newId } from '../kernel/ids.js';
import { livemodeOf } from '../kernel/accounts/livemode.js';
import type { Role } from '../kernel/accounts/roles.js';
import type { Plan, PlanLimits } from '../kernel/plans.js';
import { DEFAULT_SCOPES, type Scope } from '../kernel/scopes.js';
import { AccountError, KeyNotActive } from '../auth/account-error.js';
import { revokeOrphaned } from './invitations/orphaned-invitations.js';
import { MAX_MEMBERS, membersRepository } from './members/members.repository.js';
import { changePlan } from './plans/plan-change.js';
import { AccountEntity } from './account.entity.js';
import { accountNoticesRepository } from '../mail/notices/account-notices.repository.js';
import { emailChangesRepository } from '../auth/email-changes/email-changes.repository.js';
import { replaceEmail } from '../auth/email-changes/replace-email.js';
import { lockAccount } from '../auth/account-lock.js';
import { passwordResetsRepository } from '../auth/passwords/resets/password-resets.repository.js';
import type { KeyFilter, StoredKey } from '../auth/keys/api-keys.repository.js';
import { ApiKeys, issueKey, type IssuedKey, type NewKeySettings } from '../auth/keys/api-keys.js';
import { endSessions } from '../auth/sessions/end-sessions.js';
import { hashSecretToken, newSecretToken } from '../kernel/secret-token.js';

const INSERT = `INSERT INTO accounts (id, email, plan, limits, password_hash) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ((lower(email))) DO NOTHING RETURNING id`;

const SET_RESULT_CACHE = 'UPDATE accounts SET result_cache = $2 WHERE id = $1';

const REVOKE_ANY = `UPDATE api_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING account_id AS "accountId", name`;

/** Account and key management for operators. */
export class AccountsService {
  private readonly database: Database;
  private readonly keys: ApiKeys;

  constructor(private readonly dataSource: DataSource) {
    this.database = new Database(dataSource);
    this.keys = new ApiKeys(this.database);
  }

  /**
   * Creates an account, its first key, and an optional password in one transaction.
   * @throws AccountError when the address is taken
   */
  async create(
    email: string,
    plan: Plan,
    limits: Partial<PlanLimits> | null,
    passwordHash: string | null = null,
  ): Promise<{ readonly account: AccountEntity; readonly key: IssuedKey }> {
    if (!isEmail(email)) throw new AccountError(`"${email}" is not an email address.`);
    const id = newId('account');
    const key = await this.database.transaction(async (tx) => {
      const agreed = limits === null ? null : JSON.stringify(limits);
      const made = await tx.query(INSERT, [id, email, plan, agreed, passwordHash]);
      if (made.length === 0) throw new AccountError(`There is an account with the address ${email} already.`);
      await auditLog.record(tx, { action: 'account.created', accountId: id, details: { plan } });
      return issueKey(tx, id, { name: 'First key', scopes: DEFAULT_SCOPES, expiresAt: null });
    });
    return { account: await this.find(id), key };
  }

  async list(): Promise<AccountEntity[]> {
    return this.dataSource.manager.find(AccountEntity, {
      where: { id: Like(`${ID_PREFIXES.account}\\_%`) },
      order: { id: 'ASC' },
    });
  }

  /** By id or email. @throws AccountError */
  async find(idOrEmail: string): Promise<AccountEntity> {
    const account = await this.dataSource.manager
      .createQueryBuilder(AccountEntity, 'account')
      .where('account.id = :idOrEmail OR lower(account.email) = lower(:idOrEmail)', { idOrEmail })
      .getOne();
    if (account === null || !livemodeOf(account.id))
      throw new AccountError(`There is no account "${idOrEmail}".`);
    return account;
  }

  /** The account of a user, by id or email. @throws AccountError for an organization, because nobody signs in to one */
  async findUser(idOrEmail: string): Promise<AccountEntity> {
    const account = await this.find(idOrEmail);
    const { id, name } = account;
    if (name === null) return account;
    throw new AccountError(`${id} is the organization "${name}", not the account of a user.`);
  }

  /** As `changePlan`. @throws AccountError */
  async setPlan(idOrEmail: string, plan: Plan, limits: Partial<PlanLimits> | null): Promise<AccountEntity> {
    const account = await this.find(idOrEmail);
    await this.database.transaction(async (tx) => {
      if (!(await changePlan(tx, account.id, plan, limits)))
        throw new AccountError(`There is no account "${idOrEmail}".`);
    });
    return Object.assign(account, { plan, limits });
  }

  /** Sets whether jobs of the account may reuse the results of earlier identical jobs. @throws AccountError */
  async setResultCache(idOrEmail: string, isOn: boolean): Promise<AccountEntity> {
    const account = await this.find(idOrEmail);
    await this.database.transaction(async (tx) => {
      await tx.query(SET_RESULT_CACHE, [account.id, isOn]);
      const details = { from: account.resultCache ? 'on' : 'off', to: isOn ? 'on' : 'off' };
      if (account.resultCache !== isOn)
        await auditLog.record(tx, { action: 'result_cache.changed', accountId: account.id, details });
    });
    return Object.assign(account, { resultCache: isOn });
  }

  /** Sets a new password and ends every session. @throws AccountError */
  async setPassword(idOrEmail: string, passwordHash: string): Promise<AccountEntity> {
    const account = await this.findUser(idOrEmail);
    await this.database.transaction(async (tx) => {
      await passwordResetsRepository.setPassword(tx, account.id, passwordHash);
      // A separate statement, so that it also sees a session created while this transaction waited for the lock.
      await endSessions(tx, account.id);
      await passwordResetsRepository.endAll(tx, account.id);
      await emailChangesRepository.cancel(tx, account.id);
      await auditLog.record(tx, { action: 'password.changed', accountId: account.id });
      await accountNoticesRepository.add(tx, account.id, {
        kind: 'sign_in_changed',
        change: 'password_reset_by_operator',
      });
    });
    return account;
  }

  /**
   * Changes the address that a user signs in with, and ends every session. Whether it is verified stays as it is.
   * @returns the account with its earlier address
   * @throws AccountError for an organization, and when the address is not valid, not new or taken
   */
  async setEmail(idOrEmail: string, to: string): Promise<AccountEntity> {
    if (!isEmail(to)) throw new AccountError(`"${to}" is not an email address.`);
    const { id } = await this.findUser(idOrEmail);
    return this.database.transaction(async (tx) => {
      await lockAccount(tx, id);
      const account = await this.find(id);
      const { email: from } = account;
      if (from === to) throw new AccountError(`${to} is the address of this account already.`);
      if (!(await replaceEmail(tx, { accountId: id, from, to, isProven: false })))
        throw new AccountError(`There is an account with the address ${to} already.`);
      await accountNoticesRepository.add(tx, id, { kind: 'email_changed', from, to });
      return account;
    });
  }

  /** Issues a link to choose a new password. @returns its token, which is not stored. @throws AccountError */
  async issueResetToken(idOrEmail: string): Promise<string> {
    const { id: accountId } = await this.findUser(idOrEmail);
    const token = newSecretToken();
    await this.database.transaction(async (tx) => {
      await passwordResetsRepository.issue(tx, accountId, hashSecretToken(token));
      await auditLog.record(tx, { action: 'password.reset_link_issued', accountId });
    });
    return token;
  }

  /** Adds the user of another account as a member, or changes the member's role. @throws AccountError */
  async addMember(idOrEmail: string, userIdOrEmail: string, role: Role): Promise<AccountEntity> {
    const [account, user] = [await this.find(idOrEmail), await this.findUser(userIdOrEmail)];
    if (user.id === (account.ownerId ?? account.id))
      throw new AccountError(`${user.email} is the primary owner of this account.`);
    await this.database.transaction(async (tx) => {
      await membersRepository.lock(tx, account.id);
      const member = await membersRepository.find(tx, account.id, user.id);
      if (member?.role === role) return;
      if (!(await membersRepository.add(tx, account.id, user.id, role)))
        throw new AccountError(`The account has ${MAX_MEMBERS} members. Remove one first.`);
      await revokeOrphaned(tx, account.id, user.id, role);
      const change =
        member === undefined
          ? ({ action: 'member.added', details: { role } } as const)
          : ({ action: 'member.role_changed', details: { from: member.role, to: role } } as const);
      await auditLog.record(tx, { ...change, accountId: account.id, targetId: user.id });
    });
    return user;
  }

  /** @throws AccountError when the plan's limit on keys, or that of test mode, is reached */
  async createKey(
    idOrEmail: string,
    name: string,
    scopes: readonly Scope[],
    expiresAt: Date | null,
    { allowedIps = null, livemode = true }: Pick<NewKeySettings, 'allowedIps' | 'livemode'> = {},
  ): Promise<IssuedKey> {
    const { id } = await this.find(idOrEmail);
    return this.keys.create(id, { name, scopes, expiresAt, allowedIps, livemode });
  }

  /** Newest first. */
  async listKeys(idOrEmail: string, filter?: KeyFilter): Promise<StoredKey[]> {
    const { id } = await this.find(idOrEmail);
    return this.keys.list(id, filter);
  }

  /** Revokes a key of any account immediately. @throws AccountError */
  async revokeKey(keyId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [row] = await tx.query<{ accountId: string; name: string }>(REVOKE_ANY, [keyId]);
      if (row === undefined) throw new KeyNotActive(keyId, false);
      const { accountId, name } = row;
      await auditLog.record(tx, { action: 'key.revoked', accountId, targetId: keyId, details: { name } });
    });
  }
}
