import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { totpStep } from '../../infra/totp/totp.js';
import { AppError } from '../../kernel/app-error.js';
import { AttemptLimiter } from '../sessions/attempt.limiter.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { PendingSignInsRepository } from './pending-sign-ins.repository.js';
import { normalizeRecoveryCode } from './recovery-codes.js';
import { twoFactorContext } from './two-factor-context.js';
import { TwoFactorRepository } from './two-factor.repository.js';

/** A code that was checked, but not used yet. */
type CheckedCode =
  | { readonly secondFactor: 'totp'; readonly step: number }
  | { readonly secondFactor: 'recovery_code'; readonly code: string };

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
@Injectable()
export class SecondStep {
  constructor(
    private readonly attempts: AttemptLimiter,
    private readonly pending: PendingSignInsRepository,
    private readonly repository: TwoFactorRepository,
    private readonly sessions: SessionsRepository,
    private readonly box: SecretBox,
    private readonly database: Database,
  ) {}

  /**
   * @param token of the pending sign-in
   * @param address of the client
   * @returns the token of a new session
   * @throws AppError `sign_in_expired`, `wrong_code`, `too_many_attempts`
   */
  async complete(token: string | undefined, code: string, address: string): Promise<string> {
    const accountId = token === undefined ? undefined : await this.pending.accountOf(token);
    if (token === undefined || accountId === undefined) throw new AppError('sign_in_expired');
    await this.attempts.countSecondFactor(accountId, address);
    const checked = await this.check(accountId, code);
    const session =
      checked === undefined
        ? undefined
        : await this.database.transaction((tx) => this.begin(tx, token, accountId, checked));
    if (session !== undefined) return session;
    await auditLog.recordFailure(this.database, accountId, { secondFactor: true });
    throw new AppError('wrong_code');
  }

  /** @returns undefined for a wrong code. @throws AppError `too_many_attempts`, `sign_in_expired` */
  private async check(accountId: string, code: string): Promise<CheckedCode | undefined> {
    const sealed = await this.repository.countAttempt(accountId);
    if (sealed === undefined) throw await this.refusal(accountId);
    // A recovery code needs no key, so it also works when the sealing key is lost.
    if (normalizeRecoveryCode(code) !== undefined) return { secondFactor: 'recovery_code', code };
    const step = totpStep(
      this.box.open(sealed, twoFactorContext(accountId)),
      code.replaceAll(/\s/g, ''),
      Date.now(),
    );
    return step === undefined ? undefined : { secondFactor: 'totp', step };
  }

  private async refusal(accountId: string): Promise<AppError> {
    const retryAfterSeconds = await this.repository.blockedSeconds(accountId);
    if (retryAfterSeconds === undefined) return new AppError('sign_in_expired');
    return new AppError('too_many_attempts', {
      detail: 'Too many incorrect codes in a row. Wait and try again.',
      retryAfterSeconds,
    });
  }

  /**
   * Uses the code and creates the session in one transaction. Locks the account first, as its deletion does.
   * @returns undefined when the code was used before
   * @throws AppError `sign_in_expired`
   */
  private async begin(
    tx: Queryable,
    token: string,
    accountId: string,
    checked: CheckedCode,
  ): Promise<string | undefined> {
    if ((await this.pending.lockedAccountOf(tx, token)) !== accountId) throw new AppError('sign_in_expired');
    const isUsed =
      checked.secondFactor === 'totp'
        ? await this.repository.useStep(tx, accountId, checked.step)
        : await this.repository.useRecoveryCode(tx, accountId, checked.code);
    if (!isUsed) return undefined;
    if (!(await this.pending.end(tx, token))) throw new AppError('sign_in_expired');
    const { secondFactor } = checked;
    await auditLog.record(tx, { action: 'sign_in.succeeded', accountId, details: { secondFactor } });
    return this.sessions.create(tx, accountId);
  }
}
