import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn } from '../common/access.decorator.js';
import { answerEvents } from '../common/answer-events.js';
import { CurrentPrincipal } from '../common/principal.decorator.js';
import type { FastifyReply } from '../common/request-context.js';
import type { Principal } from '../kernel/principal.js';
import { AccountChanges } from './account-changes.js';

@ApiExcludeController()
@Controller('dashboard/api/events')
@SignedIn()
export class AccountEventsController {
  constructor(private readonly changes: AccountChanges) {}

  @Get()
  follow(@CurrentPrincipal() { accountId }: Principal, @Res() reply: FastifyReply): void {
    answerEvents(reply, this.changes.open(accountId));
  }
}
