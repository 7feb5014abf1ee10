import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from './session-cookie.js';
import { sessionDto, type SessionDto } from './session.dto.js';
import { SessionsRepository } from './sessions.repository.js';

/** Puts a new session in place of the one that the browser had before, which may have been planted by an attacker. */
@Injectable()
export class NewSession {
  constructor(
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param token of the new session */
  async start(token: string, request: FastifyRequest, reply: FastifyReply): Promise<SessionDto> {
    await this.endPrevious(request, reply);
    writeSessionCookie(reply, token, this.config);
    return sessionDto((await this.sessions.admit(token))?.session, this.config);
  }

  /** Before a second step, which creates the session. */
  async endPrevious(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const before = readSessionCookie(request, this.config);
    if (before === undefined) return;
    await this.sessions.end(before);
    clearSessionCookie(reply, this.config);
  }
}
