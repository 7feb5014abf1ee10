import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import type { Page } from '../../common/lists/pagination.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import {
  BatchDetailDto,
  BatchDto,
  BatchListDto,
  BatchWithSkippedDto,
} from '../../common/resources/batch.dto.js';
import { JobDto, JobListDto } from '../../common/resources/job.dto.js';
import { bodyOf } from '../../idempotency/body-of.js';
import { IDEMPOTENCY_HEADER, IdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { BatchDryRunDto } from './preview/batch-dry-run.dto.js';
import { BatchPreview } from './preview/batch-preview.js';
import { BatchesService } from './batches.service.js';
import { CreateBatchDto } from './create-batch.dto.js';
import { ListBatchJobsQueryDto } from './list-batch-jobs-query.dto.js';
import { RetryBatchDto } from './retry-batch.dto.js';

const CREATION_PROBLEMS = [
  'malformed_json',
  'invalid_request',
  'quota_exceeded',
  'idempotency_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_mismatch',
  'pixel_rate_limited',
  // A background or a mask.
  'not_found',
  'gone',
] as const;

@ApiTags('Batches')
@Controller('api/ai/batches')
export class BatchesController {
  constructor(
    private readonly batches: BatchesService,
    private readonly preview: BatchPreview,
  ) {}

  @Post()
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Create a batch: the same operation for up to 1,000 sources',
    operationId: 'createBatch',
    description:
      'Creates one job for each source, all or none. If any item is invalid, `errors` names it by its index (`sourceUrls.17`), and nothing is created or charged. Each job takes one enhancement from the plan, which is given back if the job fails or is canceled. Send an `Idempotency-Key` to retry safely.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiCreatedResponse({
    type: BatchWithSkippedDto,
    headers: { Location: { schema: { type: 'string' } } },
  })
  @ApiOkResponse({
    type: BatchDryRunDto,
    description: 'With `dryRun`: what the batch would cost; nothing was created.',
  })
  @Problems('invalid_source_url', ...CREATION_PROBLEMS, 'preset_not_found', ...KEY_PROBLEMS)
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
    const body = bodyOf(await this.batches.create(principal, dto, idempotencyKey), reply);
    reply.header('Location', `/api/ai/batches/${body.id}`);
    return body;
  }

  @Get()
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'List batches, newest first',
    operationId: 'listBatches',
    description: 'Follow `nextCursor` until it is null.',
  })
  @ApiOkResponse({ type: BatchListDto })
  @Problems('invalid_request', 'invalid_cursor', ...KEY_PROBLEMS)
  list(@CurrentPrincipal() principal: Principal, @Query() query: ListQueryDto): Promise<Page<BatchDto>> {
    return this.batches.list(principal.accountId, query.limit, query.cursor);
  }

  @Get(':id')
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'One batch: poll it until its `completedAt` is set',
    operationId: 'getBatch',
    description: 'With its counts and its first failures.',
  })
  @ApiOkResponse({ type: BatchDetailDto })
  @Problems('not_found', ...KEY_PROBLEMS)
  get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BatchDetailDto> {
    return this.batches.get(principal.accountId, id);
  }

  @Get(':id/jobs')
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'The jobs of a batch, in the order of its sources',
    operationId: 'listBatchJobs',
    description:
      'One job for each item: after a retry, the new one. Deleted jobs are left out. Follow `nextCursor` until it is null.',
  })
  @ApiOkResponse({ type: JobListDto })
  @Problems('invalid_request', 'invalid_cursor', 'not_found', ...KEY_PROBLEMS)
  jobs(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() query: ListBatchJobsQueryDto,
  ): Promise<Page<JobDto>> {
    return this.batches.jobs(principal.accountId, id, query);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Cancel the jobs of a batch that have not ended; they cost nothing',
    operationId: 'cancelBatch',
    description: 'Completed jobs and their results stay. 409 if every job has already ended.',
  })
  @ApiOkResponse({ type: BatchDto })
  @Problems('not_found', 'batch_already_finished', ...KEY_PROBLEMS)
  cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BatchDto> {
    return this.batches.cancel(principal.accountId, id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Retry the failed items of a batch',
    operationId: 'retryBatch',
    description:
      'Each failed item becomes a new job of the same batch, which takes an enhancement like any job. Items whose source was deleted are named in `skipped`. Send an `Idempotency-Key` to retry this request safely.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiOkResponse({ type: BatchWithSkippedDto })
  @Problems(...CREATION_PROBLEMS, 'nothing_to_retry', ...KEY_PROBLEMS)
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
