import { Injectable, Logger } from '@nestjs/common';
import type { Session } from '../auth/sessions/session.js';
import { Database, type Queryable } from '../infra/database/database.js';
import { AccountErasureRepository } from './account-erasure.repository.js';
import { ObjectErasures } from '../infra/storage/object-erasures.js';

/** Objects deleted at once. The dispatcher deletes the rest of a larger account within seconds. */
const ERASED_AT_ONCE = 1_000;
/** Retries when a worker finishes a job of the account at the same time. */
const MAX_ATTEMPTS = 5;

/** Erases accounts and everything they own. */
@Injectable()
export class AccountEraser {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly repository: AccountErasureRepository,
    private readonly erasures: ObjectErasures,
    private readonly database: Database,
  ) {}

  /**
   * Deletes the rows in one transaction: running jobs lose their lease, so their workers discard the results, and keys
   * and sessions end immediately. The objects are deleted afterward.
   * @param by the session of its owner, which must not have ended
   * @param then runs in the transaction, after the rows were deleted
   * @throws AppError `not_signed_in`, `owns_organizations`: nothing was deleted
   */
  async erase(accountId: string, by?: Session, then?: (tx: Queryable) => Promise<void>): Promise<void> {
    await this.eraseRows(accountId, by, then);
    try {
      await this.erasures.erase(ERASED_AT_ONCE);
    } catch (error) {
      this.logger.warn(
        { error: String(error) },
        'the dispatcher will delete the remaining objects of a deleted account',
      );
    }
  }

  private async eraseRows(
    accountId: string,
    by: Session | undefined,
    then: ((tx: Queryable) => Promise<void>) | undefined,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.database.transaction(async (tx) => {
          await this.repository.erase(tx, accountId, by);
          await then?.(tx);
        });
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
