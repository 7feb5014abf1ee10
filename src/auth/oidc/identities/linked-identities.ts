import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database.js';
import { AppError } from '../../../kernel/app-error.js';
import type { Language } from '../../../mail/language.js';
import { lockUser } from '../../account-lock.js';
import { SecurityNotices } from '../../notifications/security-notices.js';
import { CredentialsRepository } from '../../passwords/credentials.repository.js';
import { Passwords } from '../../passwords/passwords.js';
import type { Session, SignedInUser } from '../../sessions/session.js';
import { type LinkedIdentity, linkedIdentitiesRepository } from './linked-identities.repository.js';
import { unlinkIdentity } from './unlink-identity.js';

/** The identities of a signed-in user. */
@Injectable()
export class LinkedIdentities {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly passwords: Passwords,
    private readonly notices: SecurityNotices,
    private readonly database: Database,
  ) {}

  list({ id }: SignedInUser): Promise<LinkedIdentity[]> {
    return linkedIdentitiesRepository.list(this.database, id);
  }

  /**
   * Sessions continue. Requires the password, so that a user without one is told to choose one first.
   * @throws AppError `only_sign_in`, `wrong_password`, `too_many_attempts`, `not_found`, `not_signed_in`
   */
  async unlink(session: Session, id: string, password: string, language: Language): Promise<void> {
    const { user } = session;
    if ((await this.credentials.passwordHashOf(user.id)) === null) throw new AppError('only_sign_in');
    await this.passwords.confirm(user.id, password);
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      await unlinkIdentity(tx, user.id, id);
      await this.notices.changed(tx, user, 'identity_unlinked', language);
    });
  }
}
