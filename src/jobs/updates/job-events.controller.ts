import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { answerEvents } from '../../common/events/answer-events.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import type { Principal } from '../../kernel/principal.js';
import { JobsService } from '../jobs.service.js';

const DESCRIPTION = `Server-sent events: each is named \`job\` and its data is \`{ "job": …, "queuePosition": n | null }\`, the
whole state, once when the stream opens and after every change of status, progress or place in the queue. The stream
ends when the job has ended, and after five minutes at the latest. A client that reconnects sends \`Last-Event-ID\` and gets what has changed since; 204 if the
job has ended and the client already has its last state.`;

@ApiTags('Jobs')
@Controller('api/ai/enhance')
export class JobEventsController {
  constructor(private readonly jobs: JobsService) {}

  @Get(':id/events')
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'Follow a job until it has ended',
    description: DESCRIPTION.replaceAll('\n', ' '),
    operationId: 'followJob',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that was received. Browsers send it by themselves.',
    schema: { type: 'string' },
  })
  @ApiOkResponse({
    description: 'A stream of events',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiNoContentResponse({ description: 'The job has ended, and the client already has its last state.' })
  @Problems('not_found', 'gone', ...KEY_PROBLEMS)
  async follow(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    answerEvents(reply, await this.jobs.follow(principal.accountId, id, lastEventId));
  }
}
