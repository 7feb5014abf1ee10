import { Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../../common/requests/request-context.js';
import { languageOf } from '../../../mail/language.js';
import type { Session } from '../../sessions/session.js';
import { CurrentSession } from '../../sessions/session.decorator.js';
import { PasswordConfirmationDto } from '../../two-factor/two-factor.dto.js';
import { LinkedIdentities } from './linked-identities.js';
import { linkedIdentityDto, LinkedIdentityListDto } from './linked-identity.dto.js';

/** The identities of the user at the OpenID provider. */
@Controller('dashboard/api/identities')
@SignedIn('required')
export class LinkedIdentitiesController {
  constructor(private readonly identities: LinkedIdentities) {}

  @Get()
  @ApiOkResponse({ type: LinkedIdentityListDto })
  async list(@CurrentSession() { user }: Session): Promise<LinkedIdentityListDto> {
    return { data: (await this.identities.list(user)).map(linkedIdentityDto) };
  }

  @Post(':id/unlink')
  @HttpCode(200)
  @ApiOkResponse({ type: LinkedIdentityListDto })
  async unlink(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() { password }: PasswordConfirmationDto,
    @Req() { headers }: FastifyRequest,
  ): Promise<LinkedIdentityListDto> {
    await this.identities.unlink(session, id, password, languageOf(headers['accept-language']));
    return this.list(session);
  }
}
