import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse } from '@nestjs/swagger';
import { SignedIn } from '../../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../../common/requests/request-context.js';
import { languageOf } from '../../../mail/language.js';
import { CredentialsGuard } from '../../sessions/credentials.guard.js';
import { RequestPasswordResetDto, ResetPasswordDto } from './password-reset.dto.js';
import { PasswordResets } from './password-resets.js';

/** A forgotten password. */
@Controller('dashboard/api/password-resets')
@SignedIn('none')
@UseGuards(CredentialsGuard)
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResets) {}

  @Post()
  @HttpCode(202)
  @ApiAcceptedResponse({ schema: { type: 'object' } })
  async request(@Body() { email }: RequestPasswordResetDto, @Req() request: FastifyRequest): Promise<object> {
    await this.resets.request(email, request.ip, languageOf(request.headers['accept-language']));
    return {};
  }

  @Post('complete')
  @HttpCode(204)
  @ApiNoContentResponse()
  complete(@Body() dto: ResetPasswordDto, @Req() request: FastifyRequest): Promise<void> {
    return this.resets.complete(dto, languageOf(request.headers['accept-language']));
  }
}
