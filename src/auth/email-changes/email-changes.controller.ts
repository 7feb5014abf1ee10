import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { languageOf } from '../../mail/language.js';
import { writeSessionCookie } from '../sessions/session-cookie.js';
import type { Session } from '../sessions/session.js';
import { CurrentSession } from '../sessions/session.decorator.js';
import { sessionDto, SessionDto } from '../sessions/session.dto.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import {
  emailChangeDto,
  EmailChangeDto,
  EmailChangeTokenDto,
  PendingEmailChangeDto,
  RequestEmailChangeDto,
} from './email-change.dto.js';
import { EmailChanges } from './email-changes.js';

/** Changes of the signed-in user's email address. */
@Controller('dashboard/api/email-changes')
@SignedIn('required')
export class EmailChangesController {
  constructor(
    private readonly changes: EmailChanges,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(202)
  @ApiAcceptedResponse({ schema: { type: 'object' } })
  async request(
    @CurrentSession() session: Session,
    @Body() dto: RequestEmailChangeDto,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    await this.changes.request(session, dto, languageOf(request.headers['accept-language']));
    return {};
  }

  /** The change that waits for its link. */
  @Get('pending')
  @ApiOkResponse({ type: PendingEmailChangeDto })
  async pending(@CurrentSession() session: Session): Promise<PendingEmailChangeDto> {
    const change = await this.changes.pending(session);
    return { change: change === undefined ? null : emailChangeDto(change) };
  }

  @Post('pending/send-again')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: PendingEmailChangeDto })
  async sendAgain(
    @CurrentSession() session: Session,
    @Req() request: FastifyRequest,
  ): Promise<PendingEmailChangeDto> {
    const language = languageOf(request.headers['accept-language']);
    return { change: emailChangeDto(await this.changes.sendAgain(session, language)) };
  }

  @Delete('pending')
  @HttpCode(204)
  @ApiNoContentResponse()
  cancel(@CurrentSession() session: Session): Promise<void> {
    return this.changes.cancel(session);
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOkResponse({ type: EmailChangeDto })
  async preview(
    @CurrentSession() session: Session,
    @Body() { token }: EmailChangeTokenDto,
  ): Promise<EmailChangeDto> {
    return emailChangeDto(await this.changes.preview(session, token));
  }

  @Post('complete')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async complete(
    @CurrentSession() session: Session,
    @Body() { token }: EmailChangeTokenDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const language = languageOf(request.headers['accept-language']);
    const renewed = await this.changes.complete(session, token, language);
    writeSessionCookie(reply, renewed, this.config);
    return sessionDto((await this.sessions.admit(renewed))?.session, this.config);
  }
}
