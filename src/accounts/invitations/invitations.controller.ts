import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { languageOf } from '../../mail/language.js';
import {
  CreateInvitationDto,
  invitationDto,
  InvitationLinkDto,
  invitationLinkDto,
  InvitationListDto,
} from './invitation.dto.js';
import { InvitationsService } from './invitations.service.js';

/** Invitations of the current organization. */
@Controller('dashboard/api/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @RequiresPermission('members:write')
  @Get()
  @ApiOkResponse({ type: InvitationListDto })
  async list(@CurrentSession() session: Session): Promise<InvitationListDto> {
    return { data: (await this.invitations.list(session)).map(invitationDto) };
  }

  @RequiresPermission('members:write')
  @Post()
  @ApiCreatedResponse({ type: InvitationLinkDto })
  async create(
    @CurrentSession() session: Session,
    @Body() { email, role }: CreateInvitationDto,
    @Req() request: FastifyRequest,
  ): Promise<InvitationLinkDto> {
    return invitationLinkDto(
      await this.invitations.create(session, email, role, languageOf(request.headers['accept-language'])),
    );
  }

  @RequiresPermission('members:write')
  @Post(':id/renew')
  @ApiCreatedResponse({ type: InvitationLinkDto })
  async renew(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<InvitationLinkDto> {
    return invitationLinkDto(
      await this.invitations.renew(session, id, languageOf(request.headers['accept-language'])),
    );
  }

  @RequiresPermission('members:write')
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  revoke(@CurrentSession() session: Session, @Param('id') id: string): Promise<void> {
    return this.invitations.revoke(session, id);
  }
}
