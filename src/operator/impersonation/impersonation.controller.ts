import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { sessionDto, SessionDto } from '../../auth/sessions/session.dto.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { ImpersonateDto } from '../accounts/account-requests.dto.js';
import { ConsoleAccounts } from '../accounts/console-accounts.js';
import { UseImpersonationLinkDto } from './impersonation-link.dto.js';
import { Impersonations } from './impersonations.js';

/** Signing in as a customer, to read. */
@Controller('operator/api')
@OperatorOnly()
export class ImpersonationController {
  constructor(
    private readonly accounts: ConsoleAccounts,
    private readonly impersonations: Impersonations,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('accounts/:id/sign-in-as')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async start(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() { reason }: ImpersonateDto,
  ): Promise<SessionDto> {
    await this.accounts.nameOf(id);
    await this.impersonations.start(session, id, reason);
    return this.sessionAfter(session);
  }

  /** With a link of `npm run admin -- account sign-in-as`, once. */
  @Post('sign-in-as')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async startByLink(
    @CurrentSession() session: Session,
    @Body() { token }: UseImpersonationLinkDto,
  ): Promise<SessionDto> {
    await this.impersonations.startByLink(session, token);
    return this.sessionAfter(session);
  }

  @Post('sign-in-as/end')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async end(@CurrentSession() session: Session): Promise<SessionDto> {
    await this.impersonations.end(session);
    return this.sessionAfter(session);
  }

  /** Its CSRF token is another one, since the account is. */
  private async sessionAfter({ token }: Session): Promise<SessionDto> {
    return sessionDto((await this.sessions.admit(token))?.session, this.config);
  }
}
