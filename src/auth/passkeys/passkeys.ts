import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import {
  type CreationOptions,
  creationOptions,
  type RelyingParty,
  verifyCreation,
} from '../../infra/passkeys/web-authn.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import { lockUser } from '../account-lock.js';
import { SecurityNotices } from '../notifications/security-notices.js';
import { Passwords } from '../passwords/passwords.js';
import type { Session } from '../sessions/session.js';
import { PasskeyChallengesRepository } from './passkey-challenges.repository.js';
import { type Passkey, PasskeysRepository } from './passkeys.repository.js';

/** Passkeys of one user. */
export const MAX_PASSKEYS = 20;

/** The passkeys of a signed-in user. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly repository: PasskeysRepository,
    private readonly challenges: PasskeyChallengesRepository,
    private readonly passwords: Passwords,
    private readonly notices: SecurityNotices,
    private readonly database: Database,
  ) {}

  list({ user }: Session): Promise<Passkey[]> {
    return this.repository.list(user.id);
  }

  /**
   * Asks for the password, since a passkey outlives the session.
   * @throws AppError `wrong_password`, `too_many_attempts`
   */
  async beginAdding(
    { user, token }: Session,
    party: RelyingParty,
    password: string,
  ): Promise<CreationOptions> {
    await this.passwords.confirm(user.id, password);
    const existing = await this.repository.credentials(user.id, party.id);
    const options = await creationOptions(party, { id: user.id, name: user.email }, existing);
    await this.challenges.store(token, options.challenge);
    return options;
  }

  /** @throws AppError `passkey_refused`, `passkey_limit_reached`, `not_signed_in` when the session ended meanwhile */
  async add(
    session: Session,
    party: RelyingParty,
    { name, response, language }: { name: string; response: object; language: Language },
  ): Promise<void> {
    const { user, token } = session;
    const challenge = await this.challenges.take(token);
    const credential = challenge === undefined ? undefined : await verifyCreation(party, challenge, response);
    if (credential === undefined) throw new AppError('passkey_refused');
    const accountId = user.id;
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      if ((await this.repository.count(tx, accountId)) >= MAX_PASSKEYS)
        throw new AppError('passkey_limit_reached');
      const targetId = await this.repository.add(tx, { accountId, rpId: party.id, name, credential });
      if (targetId === undefined) throw new AppError('passkey_refused');
      await auditLog.record(tx, { action: 'passkey.added', accountId, targetId, details: { name } });
      await this.notices.changed(tx, user, 'passkey_added', language);
    });
  }

  /** @throws AppError `not_found`, `not_signed_in` when the session ended meanwhile */
  async rename(session: Session, id: string, name: string): Promise<void> {
    const accountId = session.user.id;
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      if (!(await this.repository.rename(tx, accountId, id, name))) throw notFound();
      await auditLog.record(tx, { action: 'passkey.renamed', accountId, targetId: id, details: { name } });
    });
  }

  /** @throws AppError `not_found`, `not_signed_in` when the session ended meanwhile */
  async remove(session: Session, id: string, language: Language): Promise<void> {
    const { user } = session;
    const accountId = user.id;
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      const name = await this.repository.remove(tx, accountId, id);
      if (name === undefined) throw notFound();
      await auditLog.record(tx, { action: 'passkey.removed', accountId, targetId: id, details: { name } });
      await this.notices.changed(tx, user, 'passkey_removed', language);
    });
  }
}

const notFound = (): AppError =>
  new AppError('not_found', { detail: "This passkey doesn't exist or was removed." });
