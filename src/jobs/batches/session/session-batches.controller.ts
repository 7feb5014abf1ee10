import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../../common/access/principal.decorator.js';
import { ListQueryDto } from '../../../common/lists/list-query.dto.js';
import type { Page } from '../../../common/lists/pagination.js';
import type { FastifyReply } from '../../../common/requests/request-context.js';
import { BatchDto, BatchWithSkippedDto } from '../../../common/resources/batch.dto.js';
import { bodyOf } from '../../../idempotency/body-of.js';
import { IdempotencyKey } from '../../../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../../../kernel/principal.js';
import { BatchDryRunDto } from '../preview/batch-dry-run.dto.js';
import { BatchPreview } from '../preview/batch-preview.js';
import { BatchesService } from '../batches.service.js';
import { CreateBatchDto } from '../create-batch.dto.js';
import { ListBatchJobsQueryDto } from '../list-batch-jobs-query.dto.js';
import { RetryBatchDto } from '../retry-batch.dto.js';
import { SessionJobDto, SessionJobListDto } from '../../session/session-job.dto.js';
import { SessionBatchDetailDto, SessionBatchDto, SessionBatchListDto } from './session-batch.dto.js';
import { SessionBatches } from './session-batches.js';

/** Batches in the dashboard. */
@Controller('dashboard/api/ai/batches')
export class SessionBatchesController {
  constructor(
    private readonly batches: BatchesService,
    private readonly sessionBatches: SessionBatches,
    private readonly preview: BatchPreview,
  ) {}

  @RequiresPermission('images:write')
  @Post()
  @HttpCode(201)
  @ApiCreatedResponse({ type: BatchWithSkippedDto })
  @ApiOkResponse({ type: BatchDryRunDto })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() dto: CreateBatchDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchWithSkippedDto | BatchDryRunDto> {
    if (dto.dryRun === true) {
      reply.status(200);
      return this.preview.of(principal, dto);
    }
    return bodyOf(await this.batches.create(principal, dto, idempotencyKey), reply);
  }

  @RequiresPermission('images:read')
  @Get()
  @ApiOkResponse({ type: SessionBatchListDto })
  list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListQueryDto,
  ): Promise<Page<SessionBatchDto>> {
    return this.sessionBatches.list(accountId, query.limit, query.cursor);
  }

  @RequiresPermission('images:read')
  @Get(':id')
  @ApiOkResponse({ type: SessionBatchDetailDto })
  get(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<SessionBatchDetailDto> {
    return this.sessionBatches.get(accountId, id);
  }

  @RequiresPermission('images:read')
  @Get(':id/jobs')
  @ApiOkResponse({ type: SessionJobListDto })
  jobs(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: ListBatchJobsQueryDto,
  ): Promise<Page<SessionJobDto>> {
    return this.sessionBatches.jobs(accountId, id, query);
  }

  @RequiresPermission('images:write')
  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOkResponse({ type: BatchDto })
  cancel(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<BatchDto> {
    return this.batches.cancel(accountId, id);
  }

  @RequiresPermission('images:write')
  @Post(':id/retry')
  @HttpCode(200)
  @ApiOkResponse({ type: BatchWithSkippedDto })
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() dto: RetryBatchDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchWithSkippedDto> {
    return bodyOf(await this.batches.retry(principal, id, dto, idempotencyKey), reply);
  }
}
