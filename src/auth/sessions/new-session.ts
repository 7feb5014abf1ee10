import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { languageOf } from '../../mail/language.js';
import type { ProvenAccess } from '../verification/prior-access.js';
import { NewDeviceNotices } from '../notifications/new-device-notices.js';
import { OidcLinks } from '../oidc/oidc-links.js';
import {
  clearSessionCookie,
  clearTokenCookie,
  readSessionCookie,
  readTokenCookie,
  writeSessionCookie,
  writeTokenCookie,
} from './session-cookie.js';
import { sessionDto, type SessionDto } from './session.dto.js';
import { SessionsRepository } from './sessions.repository.js';

/** The longest that browsers keep a cookie. */
const DEVICE_SECONDS = 400 * 86_400;

/**
 * Replaces the session that the browser had before, which may have been planted by an attacker, with a new one. Links
 * an identity of the OpenID provider that waits for this sign-in.
 */
@Injectable()
export class NewSession {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly links: OidcLinks,
    private readonly notices: NewDeviceNotices,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param token of the new session
   * @param proven what the user has signed in with
   */
  async start(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    proven: Pick<ProvenAccess, 'passkeyId' | 'hasSecondFactor'> = {},
  ): Promise<SessionDto> {
    await this.endPrevious(request, reply);
    const session = (await this.sessions.admit(token))?.session;
    const link = readTokenCookie(request, 'link', this.config);
    if (link !== undefined && session !== undefined) {
      await this.links.complete(link, session.user, {
        ...proven,
        sessionToken: token,
        language: languageOf(request.headers['accept-language']),
      });
      clearTokenCookie(reply, 'link', this.config);
    }
    // Before the browser gets the session, so that nobody uses one that its user was not told about.
    const device = session && (await this.notices.signedIn(session.user, request));
    writeSessionCookie(reply, token, this.config);
    if (device !== undefined) writeTokenCookie(reply, 'device', device, this.config, DEVICE_SECONDS);
    return sessionDto(session, this.config);
  }

  /** Like `endPrevious`, for a browser that comes from another site and does not send the cookie of its session. */
  async replace(sessionHash: Buffer | null, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (sessionHash !== null) {
      await this.sessions.endByHash(sessionHash);
      clearSessionCookie(reply, this.config);
    }
    await this.endPrevious(request, reply);
  }

  /** Before a second step, which creates the session. */
  async endPrevious(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const before = readSessionCookie(request, this.config);
    if (before === undefined) return;
    await this.sessions.end(before);
    clearSessionCookie(reply, this.config);
  }
}
