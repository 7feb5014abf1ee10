import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import { emailVerificationLetter } from '../../mail/letters/email-verification.letter.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import { tokenLink } from '../links/token-link.js';
import type { SignedInUser } from '../sessions/session.js';
import { emailVerificationsRepository, VERIFICATION_TTL_SECONDS } from './email-verifications.repository.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** Verifies by a mailed link that the user of an account receives the mail of its address. */
@Injectable()
export class EmailVerification {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Sends a link to a new account, in the transaction that creates it. `id` is null when nothing was created. */
  async welcome(tx: Queryable, id: string | null, email: string, language: Language): Promise<void> {
    if (!this.outbox.isOn) return;
    const token = newSecretToken();
    const isIssued = await emailVerificationsRepository.issue(tx, id, email, hashSecretToken(token));
    await this.mail(tx, { accountId: id, to: isIssued ? email : null, token, language });
  }

  /** Sends another link, unless the address is verified or was sent too many. @throws AppError `feature_disabled` */
  async sendAgain({ id, email }: Pick<SignedInUser, 'id' | 'email'>, language: Language): Promise<void> {
    if (!this.outbox.isOn) throw new AppError('feature_disabled', { detail: 'This service sends no mail.' });
    const token = newSecretToken();
    await this.database.transaction(async (tx) => {
      if (await emailVerificationsRepository.issue(tx, id, email, hashSecretToken(token)))
        await this.mail(tx, { accountId: id, to: email, token, language });
    });
  }

  /** @throws AppError `link_not_valid` */
  async complete(token: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const accountId = await emailVerificationsRepository.find(tx, hashSecretToken(token));
      if (accountId === undefined) throw new AppError('link_not_valid');
      await emailVerificationsRepository.verify(tx, accountId);
    });
  }

  private async mail(
    tx: Queryable,
    mail: {
      readonly accountId: string | null;
      readonly to: string | null;
      readonly token: string;
      readonly language: Language;
    },
  ): Promise<void> {
    const { accountId, to, token, language } = mail;
    const letter = emailVerificationLetter(
      language,
      tokenLink(this.config.publicUrl, '/verify-email', token),
    );
    const expiresAt = new Date(Date.now() + VERIFICATION_TTL_SECONDS * 1_000);
    await this.outbox.enqueue(tx, { kind: 'email_verification', accountId, to, letter, expiresAt });
  }
}
