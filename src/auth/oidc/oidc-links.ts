import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { OpenIdIdentity } from '../../infra/openid/openid-provider.js';
import type { Language } from '../../mail/language.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import { SecurityNotices } from '../notifications/security-notices.js';
import type { SignedInUser } from '../sessions/session.js';
import { emailVerificationsRepository } from '../verification/email-verifications.repository.js';
import { type ProvenAccess, removePriorAccess } from '../verification/prior-access.js';
import { OidcIdentitiesRepository } from './oidc-identities.repository.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** How long the owner of an account may take to sign in to it. */
export const LINK_SECONDS = 900;

const STORE: Prepared = {
  name: 'oidc_link_store',
  text: `INSERT INTO oidc_links (browser_hash, account_id, issuer, subject, expires_at)
         VALUES ($1, $2, $3, $4, now() + ${LINK_SECONDS} * interval '1 second')`,
};

const TAKE: Prepared = {
  name: 'oidc_link_take',
  text: `DELETE FROM oidc_links WHERE browser_hash = $1 AND account_id = $2
         RETURNING issuer, subject, expires_at > now() AS "isOpen"`,
};

type Subject = Pick<OpenIdIdentity, 'issuer' | 'subject'>;

/** Identities that wait until the owner of the account with their address has signed in as before. */
@Injectable()
export class OidcLinks {
  constructor(
    private readonly identities: OidcIdentitiesRepository,
    private readonly notices: SecurityNotices,
    private readonly outbox: MailOutbox,
    private readonly database: Database,
  ) {}

  /** @returns the token for the cookie of the browser */
  async store(accountId: string, { issuer, subject }: Subject): Promise<string> {
    const token = newSecretToken();
    await this.database.query(STORE, [hashSecretToken(token), accountId, issuer, subject]);
    return token;
  }

  /**
   * Links the identity to the account of a user who has just signed in. Does nothing when it waits for another account.
   * Where users can verify their addresses, a first verification removes earlier access that this sign-in has not proven.
   * @param token of the browser
   */
  async complete(
    token: string,
    user: Pick<SignedInUser, 'id' | 'email'>,
    { language, ...proven }: ProvenAccess & { readonly language: Language },
  ): Promise<void> {
    const { id: accountId } = user;
    await this.database.transaction(async (tx) => {
      // First, as the deletion of the account does.
      if ((await this.identities.lockAccount(tx, accountId)) === undefined) return;
      const [link] = await tx.query<Subject & { isOpen: boolean }>(TAKE, [hashSecretToken(token), accountId]);
      if (link?.isOpen !== true || !(await this.identities.add(tx, accountId, link))) return;
      const details = { issuer: link.issuer };
      await auditLog.record(tx, { action: 'identity.linked', accountId, details });
      await this.notices.changed(tx, user, 'identity_linked', language);
      const isFirst = (await emailVerificationsRepository.verify(tx, accountId)) && this.outbox.isOn;
      if (isFirst && (await removePriorAccess(tx, accountId, { ...proven, identity: link })))
        await this.notices.changed(tx, user, 'access_removed', language);
    });
  }
}
