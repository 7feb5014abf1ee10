import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { PendingSignInsRepository } from '../two-factor/pending-sign-ins.repository.js';
import { OidcIdentitiesRepository } from './oidc-identities.repository.js';
import { faultOf, type OidcResult } from './oidc-outcome.js';

/** Starts sessions of users whom the provider has identified. */
@Injectable()
export class OidcSessions {
  constructor(
    private readonly identities: OidcIdentitiesRepository,
    private readonly pending: PendingSignInsRepository,
    private readonly sessions: SessionsRepository,
    private readonly database: Database,
  ) {}

  /** A user with a second factor enters its code, too: the service does not know what the provider asked for. */
  start(accountId: string): Promise<OidcResult> {
    return this.database.transaction(async (tx): Promise<OidcResult> => {
      const account = await this.identities.lockAccount(tx, accountId);
      if (account === undefined) return faultOf('sign_in_expired');
      if (account.isSuspended) return faultOf('account_suspended');
      const pending = await this.pending.begin(tx, accountId, null);
      if (pending !== undefined) return { kind: 'second-factor', token: pending };
      await auditLog.record(tx, { action: 'sign_in.succeeded', accountId, details: { method: 'oidc' } });
      return { kind: 'session', token: await this.sessions.create(tx, accountId) };
    });
  }
}
