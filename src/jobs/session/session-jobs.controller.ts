import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import type { Session } from '../../auth/sessions/session.js';
import { SessionStreams } from '../../auth/sessions/session-streams.js';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { answerEvents } from '../../common/events/answer-events.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { bodyOf } from '../../idempotency/body-of.js';
import { IdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { CreateJobDto } from '../creation/create-job.dto.js';
import { DryRunDto } from '../preview/dry-run.dto.js';
import { JobPreview } from '../preview/job-preview.js';
import { JobsService } from '../jobs.service.js';
import type { Principal } from '../../kernel/principal.js';
import { SessionJobDto, SessionJobListDto } from './session-job.dto.js';
import { RunAgainDto } from './run-again.dto.js';
import { SessionJobs } from './session-jobs.js';
import { SessionListJobsQueryDto } from './session-list-jobs-query.dto.js';

@Controller('dashboard/api/ai/enhance')
export class SessionJobsController {
  constructor(
    private readonly jobs: SessionJobs,
    private readonly publicJobs: JobsService,
    private readonly sessionStreams: SessionStreams,
    private readonly preview: JobPreview,
  ) {}

  @RequiresPermission('images:write')
  @Post()
  @HttpCode(201)
  @ApiCreatedResponse({ type: SessionJobDto })
  @ApiOkResponse({ type: DryRunDto })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() dto: CreateJobDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionJobDto | DryRunDto> {
    if (dto.dryRun === true) {
      reply.status(200);
      return this.preview.of(principal, dto);
    }
    return bodyOf(await this.jobs.create(principal, dto, idempotencyKey), reply);
  }

  @RequiresPermission('images:read')
  @Get()
  @ApiOkResponse({ type: SessionJobListDto })
  list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: SessionListJobsQueryDto,
  ): Promise<Page<SessionJobDto>> {
    return this.jobs.list(principal.accountId, query);
  }

  @RequiresPermission('images:read')
  @Get(':id')
  @ApiOkResponse({ type: SessionJobDto })
  get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<SessionJobDto> {
    return this.jobs.get(principal.accountId, id);
  }

  @RequiresPermission('images:read')
  @Get(':id/events')
  @ApiOkResponse({ content: { 'text/event-stream': { schema: { type: 'string' } } } })
  async follow(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await this.publicJobs.follow(session.account.id, id, lastEventId);
    answerEvents(reply, this.sessionStreams.bind(session, stream));
  }

  @RequiresPermission('images:write')
  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOkResponse({ type: SessionJobDto })
  cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<SessionJobDto> {
    return this.jobs.cancel(principal.accountId, id);
  }

  @RequiresPermission('images:write')
  @Post(':id/run-again')
  @HttpCode(201)
  @ApiCreatedResponse({ type: SessionJobDto })
  async runAgain(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { mask }: RunAgainDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionJobDto> {
    return bodyOf(await this.jobs.runAgain(principal, { id, mask }, idempotencyKey), reply);
  }

  @RequiresPermission('images:write')
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  async delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.publicJobs.delete(principal.accountId, id);
  }
}
