import { Injectable, Logger } from '@nestjs/common';
import { invalidRequest } from '../common/validation/validation.pipe.js';
import { Database } from '../infra/database/database.js';
import { AccountErasureRepository } from './account-erasure.repository.js';
import type { DeleteAccountDto } from '../auth/passwords/change-password.dto.js';
import { ObjectErasures } from './object-erasures.js';
import { Passwords } from '../auth/passwords/passwords.js';
import { AppError } from '../kernel/app-error.js';
import type { Session } from '../auth/sessions/session.js';

/** Objects deleted before the response is sent. The dispatcher deletes the rest of a larger account within seconds. */
const ERASED_AT_ONCE = 1_000;
/** Retries when a worker finishes a job of the account at the same time. */
const MAX_ATTEMPTS = 5;

/** Deletes an account and everything it owns. */
@Injectable()
export class AccountDeletion {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly passwords: Passwords,
    private readonly repository: AccountErasureRepository,
    private readonly erasures: ObjectErasures,
    private readonly database: Database,
  ) {}

  /**
   * Deletes the rows in one transaction: running jobs lose their lease, so their workers discard the results, and keys
   * and sessions end immediately. The objects are deleted afterward.
   * @throws AppError `insufficient_role` for anyone but the primary owner, `invalid_request` without the right confirmation, `wrong_password`, `too_many_attempts`
   */
  async delete({ account, user }: Session, { confirmation, password }: DeleteAccountDto): Promise<void> {
    if (account.id !== user.id)
      throw new AppError('insufficient_role', {
        detail: 'Only the primary owner can delete the account. Nothing was deleted.',
      });
    if (confirmation.trim().toLowerCase() !== account.email.toLowerCase()) {
      throw invalidRequest([
        {
          field: 'confirmation',
          code: 'mismatch',
          message: 'confirmation must be the email address of the account. Nothing was deleted.',
        },
      ]);
    }
    await this.passwords.confirm(account.id, password);
    await this.eraseRows(account.id);
    this.logger.log({ accountId: account.id }, 'account deleted by its owner');
    try {
      await this.erasures.erase(ERASED_AT_ONCE);
    } catch (error) {
      this.logger.warn(
        { error: String(error) },
        'the dispatcher will delete the remaining objects of a deleted account',
      );
    }
  }

  private async eraseRows(accountId: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.database.transaction((tx) => this.repository.erase(tx, accountId));
        return;
      } catch (error) {
        if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/** PostgreSQL resolved a deadlock by rolling back this transaction; nothing was changed. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}
