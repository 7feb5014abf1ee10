import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { sessionDto, SessionDto } from '../../auth/sessions/session.dto.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { RequiresPermission, SignedIn } from '../../common/access/access.decorator.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { MemberDto, memberDto, MemberListDto, UpdateMemberDto } from './member.dto.js';
import { MembersService } from './members.service.js';

/** Members of the current organization. */
@Controller('dashboard/api/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @RequiresPermission('members:read')
  @Get()
  @ApiOkResponse({ type: MemberListDto })
  async list(@CurrentSession() session: Session): Promise<MemberListDto> {
    return { data: (await this.members.list(session)).map(memberDto) };
  }

  @SignedIn('required')
  @Post('leave')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async leave(@CurrentSession() session: Session): Promise<SessionDto> {
    await this.members.leave(session);
    return sessionDto((await this.sessions.admit(session.token))?.session, this.config);
  }

  @RequiresPermission('members:write')
  @Patch(':id')
  @ApiOkResponse({ type: MemberDto })
  async update(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() { role }: UpdateMemberDto,
  ): Promise<MemberDto> {
    return memberDto(await this.members.setRole(session, id, role));
  }

  @RequiresPermission('members:write')
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  remove(@CurrentSession() session: Session, @Param('id') id: string): Promise<void> {
    return this.members.remove(session, id);
  }
}
