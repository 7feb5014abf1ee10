import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import {
  type RelyingParty,
  type RequestOptions,
  requestOptions,
  verifyRequest,
} from '../../infra/passkeys/web-authn.js';
import { AppError } from '../../kernel/app-error.js';
import { isStorable } from '../../kernel/storable-text.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { PasskeyChallengesRepository } from './passkey-challenges.repository.js';
import { type FoundPasskey, PasskeysRepository } from './passkeys.repository.js';
import { newSecretToken } from '../../kernel/secret-token.js';

interface SignedIn {
  readonly token: string;
  readonly passkeyId: string;
}

/**
 * Signs users in with a passkey instead of a password. The authenticator has verified the user, so this is two factors
 * in one step, and no code is asked for.
 */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly repository: PasskeysRepository,
    private readonly challenges: PasskeyChallengesRepository,
    private readonly sessions: SessionsRepository,
    private readonly database: Database,
  ) {}

  /** @returns the options for the browser, and the token for its cookie, to which the challenge is bound */
  async begin(party: RelyingParty): Promise<{ options: RequestOptions; token: string }> {
    const options = await requestOptions(party);
    const token = newSecretToken();
    await this.challenges.store(token, options.challenge);
    return { options, token };
  }

  /**
   * @param token of the cookie
   * @returns the token of a new session, and the id of the passkey
   * @throws AppError `sign_in_expired`, `passkey_refused`, `account_suspended`
   */
  async complete(token: string | undefined, party: RelyingParty, response: object): Promise<SignedIn> {
    const challenge = token === undefined ? undefined : await this.challenges.take(token);
    if (challenge === undefined) throw new AppError('sign_in_expired');
    const passkey = await this.find(response);
    if (passkey === undefined || passkey.rpId !== party.id) throw new AppError('passkey_refused');
    const counter = await verifyRequest(party, challenge, response, passkey);
    const session = counter === undefined ? undefined : await this.start(passkey, counter);
    if (session !== undefined) return session;
    await auditLog.recordFailure(this.database, passkey.accountId, { method: 'passkey' });
    throw new AppError('passkey_refused');
  }

  private async find(response: object): Promise<FoundPasskey | undefined> {
    const { id } = response as { id?: unknown };
    return typeof id === 'string' && isStorable(id) ? this.repository.find(id) : undefined;
  }

  private start(passkey: FoundPasskey, counter: number): Promise<SignedIn | undefined> {
    return this.database.transaction(async (tx) => {
      const targetId = await this.repository.use(tx, passkey, counter);
      if (targetId === undefined) return undefined;
      const { accountId } = passkey;
      const details = { method: 'passkey' };
      await auditLog.record(tx, { action: 'sign_in.succeeded', accountId, targetId, details });
      return { token: await this.sessions.create(tx, accountId), passkeyId: targetId };
    });
  }
}
