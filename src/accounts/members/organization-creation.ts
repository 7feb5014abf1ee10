import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { lockUser } from '../../auth/account-lock.js';
import { AttemptLimiter } from '../../auth/sessions/attempt.limiter.js';
import type { Session } from '../../auth/sessions/session.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { newId } from '../../kernel/ids.js';
import { membersRepository } from './members.repository.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

/** Maximum organizations that one user can own. Each has its own Free plan. */
export const MAX_OWNED = 10;

const COUNT_OWNED: Prepared = {
  name: 'organization_count_owned',
  text: 'SELECT count(*)::int AS owned FROM accounts WHERE owner_id = $1',
};

/**
 * Inserts no address and no password, so nobody can sign in. The id takes the place of the address, which must be
 * unique.
 */
const INSERT: Prepared = {
  name: 'organization_insert',
  text: `INSERT INTO accounts (id, email, plan, name, owner_id) VALUES ($1, $1, 'free', $2, $3)`,
};

/** Lets users create their own organizations. */
@Injectable()
export class OrganizationCreation {
  constructor(
    private readonly attempts: AttemptLimiter,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Makes the user the primary owner, and switches the session to the organization. The rate limit of sign-ups applies,
   * because each organization is an account.
   * @param address of the client
   * @throws AppError `sign_up_closed`, `too_many_attempts`, `not_signed_in`, `organization_limit_reached`
   */
  async create(session: Session, name: string, address: string): Promise<void> {
    const { token, user } = session;
    if (this.config.signUp === 'closed') throw new AppError('sign_up_closed');
    await this.attempts.countSignUp(address);
    await this.database.transaction(async (tx) => {
      // Serializes concurrent creations by one user, so that the count is correct.
      await lockUser(tx, session);
      const [row] = await tx.query<{ owned: number }>(COUNT_OWNED, [user.id]);
      if (row!.owned >= MAX_OWNED) throw new AppError('organization_limit_reached');
      const id = newId('account');
      await tx.query(INSERT, [id, name, user.id]);
      if (!(await membersRepository.add(tx, id, user.id, 'owner')))
        throw new AppError('member_limit_reached');
      await membersRepository.switch(tx, hashSecretToken(token), user.id, id);
      await auditLog.record(tx, { action: 'account.created', accountId: id, details: { name } });
    });
  }
}
