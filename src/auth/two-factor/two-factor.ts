import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { newTotpSecret, totpStep, totpUri } from '../../infra/totp/totp.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import { lockUser } from '../account-lock.js';
import { SecurityNotices } from '../notifications/security-notices.js';
import { Passwords } from '../passwords/passwords.js';
import type { Session, SignedInUser } from '../sessions/session.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { twoFactorContext } from './two-factor-context.js';
import { TwoFactorRepository, type TwoFactorStatus } from './two-factor.repository.js';

/** The name of the service in authenticator apps. */
const ISSUER = 'Image Enhancement';

/** Turns the second factor of a signed-in user on and off. */
@Injectable()
export class TwoFactor {
  constructor(
    private readonly repository: TwoFactorRepository,
    private readonly passwords: Passwords,
    private readonly notices: SecurityNotices,
    private readonly box: SecretBox,
    private readonly database: Database,
  ) {}

  /** Undefined while it is off. */
  status(user: SignedInUser): Promise<TwoFactorStatus | undefined> {
    return this.repository.status(user.id);
  }

  /**
   * Begins a setup in place of an unfinished one. Nothing changes for sign-ins yet. Asks for the password, so that
   * somebody at an unlocked screen cannot lock the user out.
   * @throws AppError `wrong_password`, `too_many_attempts`, `two_factor_enabled`
   */
  async beginSetup({ id, email }: SignedInUser, password: string): Promise<{ secret: string; uri: string }> {
    await this.passwords.confirm(id, password);
    const secret = newTotpSecret();
    if (!(await this.repository.beginSetup(id, this.box.seal(secret, twoFactorContext(id)))))
      throw new AppError('two_factor_enabled');
    return { secret, uri: totpUri(secret, { issuer: ISSUER, label: email }) };
  }

  /**
   * Turns it on with a code of the app, which proves that the app has the secret.
   * @returns the recovery codes
   * @throws AppError `wrong_code`, `two_factor_not_set_up`, `not_signed_in` when the session ended meanwhile
   */
  async enable(session: Session, code: string, language: Language): Promise<string[]> {
    const { user } = session;
    const { id } = user;
    const sealed = await this.repository.secretInSetup(id);
    if (sealed === undefined) throw new AppError('two_factor_not_set_up');
    const step = totpStep(this.box.open(sealed, twoFactorContext(id)), code, Date.now());
    if (step === undefined) throw new AppError('wrong_code');
    return this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      if (!(await this.repository.enable(tx, id, sealed, step))) throw new AppError('two_factor_not_set_up');
      await auditLog.record(tx, { action: 'two_factor.enabled', accountId: id });
      await this.notices.changed(tx, user, 'two_factor_on', language);
      return this.newCodes(tx, id);
    });
  }

  /**
   * Replaces the recovery codes, used or not.
   * @throws AppError `wrong_password`, `too_many_attempts`, `two_factor_not_set_up`, `not_signed_in`
   */
  async replaceCodes(session: Session, password: string, language: Language): Promise<string[]> {
    const { user } = session;
    const { id } = user;
    await this.passwords.confirm(id, password);
    return this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      const codes = await this.newCodes(tx, id);
      await auditLog.record(tx, { action: 'recovery_codes.replaced', accountId: id });
      await this.notices.changed(tx, user, 'recovery_codes', language);
      return codes;
    });
  }

  /** @throws AppError `wrong_password`, `too_many_attempts`, `two_factor_not_set_up`, `not_signed_in` */
  async disable(session: Session, password: string, language: Language): Promise<void> {
    const { user } = session;
    const { id } = user;
    await this.passwords.confirm(id, password);
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      if (!(await this.repository.disable(tx, id))) throw new AppError('two_factor_not_set_up');
      await auditLog.record(tx, { action: 'two_factor.disabled', accountId: id });
      await this.notices.changed(tx, user, 'two_factor_off', language);
    });
  }

  private async newCodes(tx: Queryable, id: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    if (!(await this.repository.replaceCodes(tx, id, codes))) throw new AppError('two_factor_not_set_up');
    return codes;
  }
}
