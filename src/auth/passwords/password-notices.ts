import { Inject, Injectable } from '@nestjs/common';
import { currentActor } from '../../audit/audit-actor.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import type { Language } from '../../mail/language.js';
import { passwordChangedLetter } from '../../mail/letters/password-changed.letter.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import type { SignedInUser } from '../sessions/session.js';

/** Tells users by email that their password was changed. */
@Injectable()
export class PasswordNotices {
  constructor(
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Written in the transaction of the change. */
  async changed(
    tx: Queryable,
    { id, email }: Pick<SignedInUser, 'id' | 'email'>,
    language: Language,
  ): Promise<void> {
    const forgotten = `${this.config.publicUrl}/forgot-password`;
    const letter = passwordChangedLetter(language, new Date(), currentActor().address, forgotten);
    await this.outbox.enqueue(tx, { kind: 'password_changed', accountId: id, to: email, letter });
  }
}
