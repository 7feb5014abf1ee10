import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { currentActor } from '../../audit/audit-actor.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { Database } from '../../infra/database/database.js';
import { languageOf } from '../../mail/language.js';
import { newSignInLetter } from '../../mail/letters/new-sign-in.letter.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import { notificationSettingsRepository } from '../../mail/notices/notification-settings.repository.js';
import { clientBucket } from '../client-address.js';
import type { SignedInUser } from '../sessions/session.js';
import { readTokenCookie } from '../sessions/session-cookie.js';
import { deviceDescription } from './device-description.js';
import { knownDevicesRepository } from './known-devices.repository.js';
import { newSecretToken } from '../../kernel/secret-token.js';

/** Tells users by email of sign-ins from devices that were not seen before. */
@Injectable()
export class NewDeviceNotices {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A device is known by its cookie, or, where cookies are not kept, by browser, system and network together.
   * @param request that signed in
   * @returns the token for the device cookie
   */
  async signedIn(
    { id, email }: Pick<SignedInUser, 'id' | 'email'>,
    request: FastifyRequest,
  ): Promise<string> {
    const token = readTokenCookie(request, 'device', this.config) ?? newSecretToken();
    const { address, userAgent } = currentActor();
    const device = deviceDescription(userAgent);
    const keys = [hashOf('cookie', token), hashOf('client', `${device ?? ''} ${clientBucket(request.ip)}`)];
    await this.database.transaction(async (tx) => {
      const isNews = await knownDevicesRepository.see(tx, id, keys);
      // The language of the user. That of the request may be an attacker's.
      const wanted = languageOf(request.headers['accept-language']);
      const language = await notificationSettingsRepository.languageOf(tx, id, wanted);
      if (!isNews) return;
      const letter = newSignInLetter(language, { at: new Date(), device, address }, this.config.publicUrl);
      await this.outbox.notify(tx, { kind: 'new_sign_in', accountId: id, to: email, letter });
    });
    return token;
  }
}

const hashOf = (purpose: string, value: string): Buffer =>
  createHash('sha256').update(`${purpose}:${value}`).digest();
