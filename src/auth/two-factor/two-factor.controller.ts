import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { languageOf } from '../../mail/language.js';
import type { Session } from '../sessions/session.js';
import { CurrentSession } from '../sessions/session.decorator.js';
import {
  AppCodeDto,
  PasswordConfirmationDto,
  RecoveryCodesDto,
  TwoFactorSetupDto,
  TwoFactorStatusDto,
} from './two-factor.dto.js';
import { TwoFactor } from './two-factor.js';

/** The second factor of the user. */
@Controller('dashboard/api/two-factor')
@SignedIn('required')
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactor) {}

  @Get()
  @ApiOkResponse({ type: TwoFactorStatusDto })
  async status(@CurrentSession() { user }: Session): Promise<TwoFactorStatusDto> {
    const status = await this.twoFactor.status(user);
    return {
      enabled: status !== undefined,
      enabledAt: status?.enabledAt.toISOString() ?? null,
      recoveryCodesLeft: status?.recoveryCodesLeft ?? 0,
    };
  }

  @Post('setup')
  @HttpCode(200)
  @ApiOkResponse({ type: TwoFactorSetupDto })
  setUp(
    @CurrentSession() { user }: Session,
    @Body() { password }: PasswordConfirmationDto,
  ): Promise<TwoFactorSetupDto> {
    return this.twoFactor.beginSetup(user, password);
  }

  @Post('enable')
  @HttpCode(200)
  @ApiOkResponse({ type: RecoveryCodesDto })
  async enable(
    @CurrentSession() session: Session,
    @Body() { code }: AppCodeDto,
    @Req() { headers }: FastifyRequest,
  ): Promise<RecoveryCodesDto> {
    return { codes: await this.twoFactor.enable(session, code, languageOf(headers['accept-language'])) };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @ApiOkResponse({ type: RecoveryCodesDto })
  async replaceCodes(
    @CurrentSession() session: Session,
    @Body() { password }: PasswordConfirmationDto,
    @Req() { headers }: FastifyRequest,
  ): Promise<RecoveryCodesDto> {
    const codes = await this.twoFactor.replaceCodes(
      session,
      password,
      languageOf(headers['accept-language']),
    );
    return { codes };
  }

  @Post('disable')
  @HttpCode(204)
  @ApiNoContentResponse()
  disable(
    @CurrentSession() session: Session,
    @Body() { password }: PasswordConfirmationDto,
    @Req() { headers }: FastifyRequest,
  ): Promise<void> {
    return this.twoFactor.disable(session, password, languageOf(headers['accept-language']));
  }
}
