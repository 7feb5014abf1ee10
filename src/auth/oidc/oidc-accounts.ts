import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database } from '../../infra/database/database.js';
import type { OpenIdIdentity } from '../../infra/openid/openid-provider.js';
import { AppError } from '../../kernel/app-error.js';
import { AttemptLimiter } from '../sessions/attempt.limiter.js';
import { emailVerificationsRepository } from '../verification/email-verifications.repository.js';
import { OidcIdentitiesRepository } from './oidc-identities.repository.js';
import { faultOf, type OidcFault } from './oidc-outcome.js';
import { domainFault, verifiedEmail } from './verified-email.js';

/** The account that an identity belongs to, or may belong to once its owner has signed in as before. */
export type FoundAccount =
  | { readonly kind: 'account' | 'link'; readonly accountId: string }
  | { readonly kind: 'fault'; readonly fault: OidcFault };

/** Finds or creates the account of a user of the provider. */
@Injectable()
export class OidcAccounts {
  constructor(
    private readonly identities: OidcIdentitiesRepository,
    private readonly attempts: AttemptLimiter,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The address counts only at the first sign-in; after that, issuer and subject do.
   * @param address of the client
   * @throws AppError `too_many_attempts`
   */
  async accountFor(identity: OpenIdIdentity, address: string): Promise<FoundAccount> {
    const refused = domainFault(identity, this.config);
    if (refused !== undefined) return refused;
    const known = await this.identities.accountOf(identity);
    if (known !== undefined) return { kind: 'account', accountId: known };
    const email = verifiedEmail(identity, this.config);
    if (email === undefined) return faultOf('email_not_verified');
    const owner = await this.identities.accountWithEmail(email);
    return owner === undefined ? this.signUp(identity, email, address) : this.claim(identity, owner);
  }

  private async signUp(identity: OpenIdIdentity, email: string, address: string): Promise<FoundAccount> {
    if (this.config.oidcSignUp === 'closed') return faultOf('sign_up_closed');
    await this.attempts.countSignUp(address);
    const accountId = await this.create(identity, email);
    if (accountId !== undefined) return { kind: 'account', accountId };
    // A concurrent request has taken the address.
    const owner = await this.identities.accountWithEmail(email);
    return owner === undefined ? faultOf('service_unavailable') : this.claim(identity, owner);
  }

  /** Creates the account and its identity, or neither. @returns undefined when the address is taken */
  private create(identity: OpenIdIdentity, email: string): Promise<string | undefined> {
    return this.database.transaction(async (tx) => {
      const accountId = await this.identities.signUp(tx, email);
      if (accountId === undefined) return undefined;
      if (!(await this.identities.add(tx, accountId, identity))) throw new AppError('service_unavailable');
      await auditLog.record(tx, { action: 'account.created', accountId, details: { method: 'oidc' } });
      return accountId;
    });
  }

  /**
   * An account that nobody can sign in to, such as one that the operator has created, belongs to the owner of its
   * address. The owner of any other account has to sign in as before.
   */
  private claim(identity: OpenIdIdentity, accountId: string): Promise<FoundAccount> {
    return this.database.transaction(async (tx): Promise<FoundAccount> => {
      if ((await this.identities.lockAccount(tx, accountId)) === undefined)
        return faultOf('service_unavailable');
      const known = await this.identities.accountOf(identity, tx);
      if (known !== undefined) return { kind: 'account', accountId: known };
      if (await this.identities.hasSignIn(tx, accountId)) return { kind: 'link', accountId };
      if (!(await this.identities.add(tx, accountId, identity))) return faultOf('service_unavailable');
      const details = { issuer: identity.issuer };
      await auditLog.record(tx, { action: 'identity.linked', accountId, details });
      await emailVerificationsRepository.verify(tx, accountId);
      return { kind: 'account', accountId };
    });
  }
}
