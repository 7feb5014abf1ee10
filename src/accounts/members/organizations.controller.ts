import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { sessionDto, SessionDto } from '../../auth/sessions/session.dto.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { CreateOrganizationDto, OrganizationListDto } from './member.dto.js';
import { MembersService } from './members.service.js';
import { OrganizationCreation } from './organization-creation.js';

/** Organizations of the signed-in user. */
@Controller('dashboard/api/organizations')
@SignedIn('required')
export class OrganizationsController {
  constructor(
    private readonly members: MembersService,
    private readonly creation: OrganizationCreation,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @ApiOkResponse({ type: OrganizationListDto })
  async list(@CurrentSession() session: Session): Promise<OrganizationListDto> {
    const data = await this.members.organizations(session);
    return {
      data: data.map((each) => Object.assign({ isCurrent: each.id === session.account.id }, each)),
    };
  }

  @Post()
  @ApiCreatedResponse({ type: SessionDto })
  async create(
    @CurrentSession() session: Session,
    @Body() { name }: CreateOrganizationDto,
    @Req() request: FastifyRequest,
  ): Promise<SessionDto> {
    await this.creation.create(session, name, request.ip);
    return sessionDto((await this.sessions.admit(session.token))?.session, this.config);
  }

  @Post(':id/switch')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async switch(@CurrentSession() session: Session, @Param('id') id: string): Promise<SessionDto> {
    await this.members.switch(session, id);
    return sessionDto((await this.sessions.admit(session.token))?.session, this.config);
  }
}
