import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { languageOf } from '../../mail/language.js';
import { CredentialsGuard } from './credentials.guard.js';
import { CredentialsDto, SignUpDto } from '../passwords/credentials.dto.js';
import { PENDING_SECONDS } from '../two-factor/pending-sign-ins.repository.js';
import { SecondStep } from '../two-factor/second-step.js';
import { SignInCodeDto } from '../two-factor/two-factor.dto.js';
import { NewSession } from './new-session.js';
import { clearSessionCookie, clearTokenCookie, readTokenCookie, writeTokenCookie } from './session-cookie.js';
import { sessionDto, SessionDto } from './session.dto.js';
import { SessionsRepository } from './sessions.repository.js';
import { SignIn } from './sign-in.js';
import { SignUp } from './sign-up.js';

/** Signing in and out. */
@Controller('dashboard/api')
export class SessionController {
  constructor(
    private readonly signIns: SignIn,
    private readonly signUps: SignUp,
    private readonly secondStep: SecondStep,
    private readonly newSession: NewSession,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('session')
  @ApiOkResponse({ type: SessionDto })
  @SignedIn('optional')
  session(@Req() request: FastifyRequest): SessionDto {
    return sessionDto(request.session, this.config);
  }

  @Post('sign-up')
  @HttpCode(202)
  @ApiAcceptedResponse({ schema: { type: 'object' } })
  @SignedIn('none')
  @UseGuards(CredentialsGuard)
  async signUp(@Body() dto: SignUpDto, @Req() request: FastifyRequest): Promise<object> {
    await this.signUps.signUp(dto, request.ip, languageOf(request.headers['accept-language']));
    return {};
  }

  @Post('sign-in')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  @SignedIn('none')
  @UseGuards(CredentialsGuard)
  async signIn(
    @Body() dto: CredentialsDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const { token, secondFactorRequired } = await this.signIns.signIn(dto, request.ip);
    if (!secondFactorRequired) return this.newSession.start(token, request, reply);
    await this.newSession.endPrevious(request, reply);
    writeTokenCookie(reply, 'pending', token, this.config, PENDING_SECONDS);
    return sessionDto(undefined, this.config, true);
  }

  @Post('sign-in/two-factor')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  @SignedIn('none')
  @UseGuards(CredentialsGuard)
  async enterCode(
    @Body() { code }: SignInCodeDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const pending = readTokenCookie(request, 'pending', this.config);
    const token = await this.secondStep.complete(pending, code, request.ip);
    clearTokenCookie(reply, 'pending', this.config);
    return this.newSession.start(token, request, reply, { hasSecondFactor: true });
  }

  @Post('sign-out')
  @HttpCode(204)
  @ApiNoContentResponse()
  @SignedIn('optional')
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    if (request.session !== undefined) await this.sessions.signOut(request.session.token);
    clearSessionCookie(reply, this.config);
  }
}
