import { Body, Controller, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { AccountActions } from './account-actions.js';
import {
  ConsoleDeleteAccountDto,
  SetPlanDto,
  SuspendDto,
  UnlinkIdentityDto,
} from './account-requests.dto.js';
import { ConsoleAccountDetailDto, SignedOutDto, TemporaryPasswordDto } from './console-account.dto.js';
import { ConsoleAccounts } from './console-accounts.js';

/** Changes of customers' accounts. */
@Controller('operator/api/accounts/:id')
@OperatorOnly()
export class AccountActionsController {
  constructor(
    private readonly accounts: ConsoleAccounts,
    private readonly actions: AccountActions,
  ) {}

  @Put('plan')
  @ApiOkResponse({ type: ConsoleAccountDetailDto })
  async setPlan(@Param('id') id: string, @Body() dto: SetPlanDto): Promise<ConsoleAccountDetailDto> {
    await this.actions.setPlan(id, dto);
    return this.accounts.get(id);
  }

  @Post('suspend')
  @HttpCode(200)
  @ApiOkResponse({ type: ConsoleAccountDetailDto })
  async suspend(
    @CurrentSession() { user }: Session,
    @Param('id') id: string,
    @Body() dto: SuspendDto,
  ): Promise<ConsoleAccountDetailDto> {
    await this.actions.suspend(user.id, id, dto);
    return this.accounts.get(id);
  }

  @Post('resume')
  @HttpCode(200)
  @ApiOkResponse({ type: ConsoleAccountDetailDto })
  async resume(@Param('id') id: string): Promise<ConsoleAccountDetailDto> {
    await this.actions.resume(id);
    return this.accounts.get(id);
  }

  @Post('reset-password')
  @HttpCode(200)
  @ApiOkResponse({ type: TemporaryPasswordDto })
  async resetPassword(@Param('id') id: string): Promise<TemporaryPasswordDto> {
    const { password, expiresAt } = await this.actions.resetPassword(id);
    return { password, expiresAt: expiresAt.toISOString() };
  }

  @Post('reset-two-factor')
  @HttpCode(200)
  @ApiOkResponse({ type: ConsoleAccountDetailDto })
  async resetTwoFactor(
    @CurrentSession() { user }: Session,
    @Param('id') id: string,
  ): Promise<ConsoleAccountDetailDto> {
    await this.actions.resetTwoFactor(user.id, id);
    return this.accounts.get(id);
  }

  @Post('unlink-identity')
  @HttpCode(200)
  @ApiOkResponse({ type: ConsoleAccountDetailDto })
  async unlinkIdentity(
    @CurrentSession() { user }: Session,
    @Param('id') id: string,
    @Body() { identityId }: UnlinkIdentityDto,
  ): Promise<ConsoleAccountDetailDto> {
    await this.actions.unlinkIdentity(user.id, id, identityId);
    return this.accounts.get(id);
  }

  @Post('sign-out')
  @HttpCode(200)
  @ApiOkResponse({ type: SignedOutDto })
  async signOut(@Param('id') id: string): Promise<SignedOutDto> {
    return { sessions: await this.actions.signOut(id) };
  }

  @Post('delete')
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(
    @CurrentSession() { user }: Session,
    @Param('id') id: string,
    @Body() { confirmation }: ConsoleDeleteAccountDto,
  ): Promise<void> {
    return this.actions.delete(user.id, id, confirmation);
  }
}
