import { randomInt } from 'node:crypto';
import { auditLog } from '../audit/audit-log.js';
import { lockAccount } from '../auth/account-lock.js';
import {
  type LinkedIdentity,
  linkedIdentitiesRepository,
} from '../auth/oidc/identities/linked-identities.repository.js';
import { unlinkIdentity } from '../auth/oidc/identities/unlink-identity.js';
import { emailChangesRepository } from '../auth/email-changes/email-changes.repository.js';
import { accountNoticesRepository } from '../mail/notices/account-notices.repository.js';
import { passwordResetsRepository } from '../auth/passwords/resets/password-resets.repository.js';
import type { Database } from '../infra/database/database.js';
import type { PasswordHasher } from '../infra/passwords/password-hasher.js';
import { endSessions } from '../auth/sessions/end-sessions.js';

/** Omits letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LETTERS = 5;

/** How long a temporary password works. */
export const TEMPORARY_PASSWORD_HOURS = 24;

/** Organizations are excluded: nobody signs in to one, so it has no password. */
const SET_TEMPORARY = `UPDATE accounts SET password_hash = $2, password_expires_at = now() + $3::int * interval '1 hour'
  WHERE id = $1 AND owner_id IS NULL RETURNING password_expires_at AS "expiresAt"`;

/** Also deletes the recovery codes. */
const RESET_TWO_FACTOR =
  'DELETE FROM two_factor_secrets WHERE account_id = $1 AND enabled_at IS NOT NULL RETURNING account_id';

export interface TemporaryPassword {
  /** Shown only once. */
  readonly password: string;
  readonly expiresAt: Date;
}

/** Lets operators manage the password, the second factor, and the sessions of a customer. */
export class AccountAccess {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Replaces the password with one that works for a day, and ends every session.
   * @returns undefined for an unknown account, and for an organization, to which nobody signs in
   */
  async resetPassword(accountId: string): Promise<TemporaryPassword | undefined> {
    const password = newTemporaryPassword();
    const hash = await this.hasher.hash(password);
    return this.database.transaction(async (tx) => {
      const values = [accountId, hash, TEMPORARY_PASSWORD_HOURS];
      const [row] = await tx.query<{ expiresAt: Date }>(SET_TEMPORARY, values);
      if (row === undefined) return undefined;
      await passwordResetsRepository.endAll(tx, accountId);
      await emailChangesRepository.cancel(tx, accountId);
      await endSessions(tx, accountId);
      await auditLog.record(tx, { action: 'password.reset', accountId });
      await accountNoticesRepository.add(tx, accountId, {
        kind: 'sign_in_changed',
        change: 'password_reset_by_operator',
      });
      return { password, expiresAt: row.expiresAt };
    });
  }

  /** Turns off the second factor of a user who lost it. Sessions continue. @returns whether it was on */
  async resetTwoFactor(accountId: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (!(await lockAccount(tx, accountId))) return false;
      const isReset = (await tx.query(RESET_TWO_FACTOR, [accountId])).length > 0;
      if (!isReset) return false;
      await auditLog.record(tx, { action: 'two_factor.reset', accountId });
      await accountNoticesRepository.add(tx, accountId, {
        kind: 'sign_in_changed',
        change: 'two_factor_reset',
      });
      return true;
    });
  }

  /** The identities of the OpenID provider that sign in to the account. */
  identities(accountId: string): Promise<LinkedIdentity[]> {
    return linkedIdentitiesRepository.list(this.database, accountId);
  }

  /** Unlinks an identity. Sessions continue. @throws AppError `not_found`, `only_sign_in` */
  async unlinkIdentity(accountId: string, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      await unlinkIdentity(tx, accountId, id);
      await accountNoticesRepository.add(tx, accountId, {
        kind: 'sign_in_changed',
        change: 'identity_unlinked_by_operator',
      });
    });
  }

  /** Ends every session of the account's user. @returns the number of sessions that were ended */
  async signOut(accountId: string): Promise<number> {
    return this.database.transaction(async (tx) => {
      const sessions = await endSessions(tx, accountId);
      const entry = { action: 'session.revoked', accountId, details: { sessions } } as const;
      if (sessions > 0) await auditLog.record(tx, entry);
      return sessions;
    });
  }
}

/** 20 letters, about 99 bits. */
function newTemporaryPassword(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
