import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentSession } from '../accounts/session.decorator.js';
import type { Session } from '../accounts/session.js';
import { SessionStreams } from '../accounts/session-streams.js';
import { SignedIn } from '../common/access.decorator.js';
import { answerEvents } from '../common/answer-events.js';
import type { FastifyReply } from '../common/request-context.js';
import { AccountChanges } from './account-changes.js';

@ApiExcludeController()
@Controller('dashboard/api/events')
@SignedIn()
export class AccountEventsController {
  constructor(
    private readonly changes: AccountChanges,
    private readonly sessionStreams: SessionStreams,
  ) {}

  @Get()
  follow(@CurrentSession() session: Session, @Res() reply: FastifyReply): void {
    answerEvents(reply, this.sessionStreams.bind(session, this.changes.open(session.account.id)));
  }
}
