import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import type { Session } from '../../auth/sessions/session.js';
import { SessionStreams } from '../../auth/sessions/session-streams.js';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { answerEvents } from '../../common/events/answer-events.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { AccountChanges } from './account-changes.js';

@Controller('dashboard/api/events')
export class AccountEventsController {
  constructor(
    private readonly changes: AccountChanges,
    private readonly sessionStreams: SessionStreams,
  ) {}

  @RequiresPermission('images:read')
  @Get()
  @ApiOkResponse({ content: { 'text/event-stream': { schema: { type: 'string' } } } })
  follow(@CurrentSession() session: Session, @Res() reply: FastifyReply): void {
    answerEvents(reply, this.sessionStreams.bind(session, this.changes.open(session.account.id)));
  }
}
