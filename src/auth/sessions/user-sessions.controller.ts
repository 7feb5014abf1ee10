import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import { AppError } from '../../kernel/app-error.js';
import type { Session } from './session.js';
import { CurrentSession } from './session.decorator.js';
import { SignedInDeviceListDto } from './user-sessions.dto.js';
import { UserSessionsRepository } from './user-sessions.repository.js';

/** Where the user is signed in. */
@Controller('dashboard/api/sessions')
@SignedIn('required')
export class UserSessionsController {
  constructor(private readonly sessions: UserSessionsRepository) {}

  @Get()
  @ApiOkResponse({ type: SignedInDeviceListDto })
  async list(@CurrentSession() session: Session): Promise<SignedInDeviceListDto> {
    const devices = await this.sessions.list(session);
    return {
      data: devices.map(({ id, isCurrent, address, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
        id,
        isCurrent,
        address,
        userAgent,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
    };
  }

  @Post('end-others')
  @HttpCode(204)
  @ApiNoContentResponse()
  endOthers(@CurrentSession() session: Session): Promise<void> {
    return this.sessions.endOthers(session);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  async end(@CurrentSession() session: Session, @Param('id') id: string): Promise<void> {
    if (await this.sessions.end(session, id)) return;
    throw new AppError('not_found', { detail: "This session doesn't exist or has ended." });
  }
}
