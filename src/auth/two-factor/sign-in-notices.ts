import { Inject, Injectable } from '@nestjs/common';
import { currentActor } from '../../audit/audit-actor.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import type { Language } from '../../mail/language.js';
import { type SignInChange, signInChangedLetter } from '../../mail/letters/sign-in-changed.letter.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import type { SignedInUser } from '../sessions/session.js';

/** Tells users by email that the way they sign in was changed. */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Written in the transaction of the change. */
  async changed(
    tx: Queryable,
    { id, email }: Pick<SignedInUser, 'id' | 'email'>,
    change: SignInChange,
    language: Language,
  ): Promise<void> {
    const security = `${this.config.publicUrl}/account/security`;
    const letter = signInChangedLetter(language, change, new Date(), currentActor().address, security);
    await this.outbox.enqueue(tx, { kind: 'sign_in_changed', accountId: id, to: email, letter });
  }
}
