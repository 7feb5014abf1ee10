import { Body, Controller, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { CredentialsGuard } from '../../auth/sessions/credentials.guard.js';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { sessionDto, SessionDto } from '../../auth/sessions/session.dto.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { InvitationAcceptance } from './invitation-acceptance.js';
import { InvitationPreviewDto, invitationPreviewDto, InvitationTokenDto } from './invitation.dto.js';

/** For the holder of an invitation's link. */
@Controller('dashboard/api/invitation')
export class InvitationAcceptanceController {
  constructor(
    private readonly acceptance: InvitationAcceptance,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @SignedIn('none')
  @UseGuards(CredentialsGuard)
  @Post('preview')
  @HttpCode(200)
  @ApiOkResponse({ type: InvitationPreviewDto })
  async preview(@Body() { token }: InvitationTokenDto): Promise<InvitationPreviewDto> {
    return invitationPreviewDto(await this.acceptance.preview(token));
  }

  @SignedIn('required')
  @Post('accept')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async accept(
    @CurrentSession() session: Session,
    @Body() { token }: InvitationTokenDto,
  ): Promise<SessionDto> {
    await this.acceptance.accept(session, token);
    return sessionDto((await this.sessions.admit(session.token))?.session, this.config);
  }
}
