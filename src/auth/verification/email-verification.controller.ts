import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { languageOf } from '../../mail/language.js';
import { CredentialsGuard } from '../sessions/credentials.guard.js';
import type { Session } from '../sessions/session.js';
import { CurrentSession } from '../sessions/session.decorator.js';
import { VerifyEmailDto } from './email-verification.dto.js';
import { EmailVerification } from './email-verification.js';

/** Verification of the email address of a user. */
@Controller('dashboard/api/email-verifications')
export class EmailVerificationController {
  constructor(private readonly verification: EmailVerification) {}

  @SignedIn('required')
  @Post()
  @HttpCode(202)
  @ApiAcceptedResponse({ schema: { type: 'object' } })
  async sendAgain(@CurrentSession() { user }: Session, @Req() request: FastifyRequest): Promise<object> {
    await this.verification.sendAgain(user, languageOf(request.headers['accept-language']));
    return {};
  }

  @SignedIn('none')
  @UseGuards(CredentialsGuard)
  @Post('complete')
  @HttpCode(204)
  @ApiNoContentResponse()
  complete(@Body() { token }: VerifyEmailDto): Promise<void> {
    return this.verification.complete(token);
  }
}
