import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission, SignedIn } from '../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../common/requests/request-context.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { languageOf } from '../mail/language.js';
import { AccountDeletion } from './account-deletion.js';
import { ChangePasswordDto, DeleteAccountDto } from '../auth/passwords/change-password.dto.js';
import { Passwords } from '../auth/passwords/passwords.js';
import type { Session } from '../auth/sessions/session.js';
import { clearSessionCookie, writeSessionCookie } from '../auth/sessions/session-cookie.js';
import { CurrentSession } from '../auth/sessions/session.decorator.js';
import { sessionDto, SessionDto } from '../auth/sessions/session.dto.js';
import { SessionsRepository } from '../auth/sessions/sessions.repository.js';

/** Changes the password of the user, and deletes the account. */
@Controller('dashboard/api/account')
export class AccountController {
  constructor(
    private readonly passwords: Passwords,
    private readonly deletion: AccountDeletion,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @SignedIn('required')
  @Post('password')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async changePassword(
    @CurrentSession() { user }: Session,
    @Body() dto: ChangePasswordDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const token = await this.passwords.change(user, dto, languageOf(request.headers['accept-language']));
    writeSessionCookie(reply, token, this.config);
    return sessionDto((await this.sessions.admit(token))?.session, this.config);
  }

  @RequiresPermission('account:delete')
  @Post('delete')
  @HttpCode(204)
  @ApiNoContentResponse()
  async delete(
    @CurrentSession() session: Session,
    @Body() dto: DeleteAccountDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.deletion.delete(session, dto, languageOf(request.headers['accept-language']));
    // The session of the user who deletes an organization returns to their own account.
    if (session.account.id === session.user.id) clearSessionCookie(reply, this.config);
  }
}
