import { Body, Controller, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { CredentialsGuard } from '../sessions/credentials.guard.js';
import { NewSession } from '../sessions/new-session.js';
import { SessionDto } from '../sessions/session.dto.js';
import { clearTokenCookie, readTokenCookie, writeTokenCookie } from '../sessions/session-cookie.js';
import { CHALLENGE_SECONDS } from './passkey-challenges.repository.js';
import { PasskeyOptionsDto, PasskeyResponseDto } from './passkey.dto.js';
import { PasskeySignIn } from './passkey-sign-in.js';
import { relyingPartyOf } from './relying-party.js';

/** Signing in with a passkey. */
@Controller('dashboard/api/sign-in/passkey')
@SignedIn('none')
@UseGuards(CredentialsGuard)
export class PasskeySignInController {
  constructor(
    private readonly signIn: PasskeySignIn,
    private readonly newSession: NewSession,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Options for `navigator.credentials.get`. */
  @Post('options')
  @HttpCode(200)
  @ApiOkResponse({ type: PasskeyOptionsDto })
  async options(
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasskeyOptionsDto> {
    const { options, token } = await this.signIn.begin(relyingPartyOf(headers, this.config.publicUrl));
    writeTokenCookie(reply, 'passkey', token, this.config, CHALLENGE_SECONDS);
    return { options };
  }

  @Post()
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async complete(
    @Body() { response }: PasskeyResponseDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const party = relyingPartyOf(request.headers, this.config.publicUrl);
    const begun = readTokenCookie(request, 'passkey', this.config);
    const { token, passkeyId } = await this.signIn.complete(begun, party, response);
    clearTokenCookie(reply, 'passkey', this.config);
    return this.newSession.start(token, request, reply, { passkeyId });
  }
}
