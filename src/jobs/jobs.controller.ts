import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { AnyScope } from '../common/access/access.decorator.js';
import type { Page } from '../common/lists/pagination.js';
import {
  ApiPreferWait,
  type Patience,
  preferenceApplied,
  PreferWait,
} from '../common/requests/prefer-wait.decorator.js';
import { CurrentPrincipal } from '../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../common/problems/problems.decorator.js';
import { invalidRequest } from '../common/validation/validation.pipe.js';
import type { FastifyReply } from '../common/requests/request-context.js';
import { bodyOf } from '../idempotency/body-of.js';
import { IDEMPOTENCY_HEADER, IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../kernel/principal.js';
import { CANCEL_AFTER_HEADER, CancelAfter } from './creation/cancel-after.js';
import { CreateJobDto } from './creation/create-job.dto.js';
import { JobDto, JobListDto } from '../common/resources/job.dto.js';
import { DryRunDto } from './preview/dry-run.dto.js';
import { JobPreview } from './preview/job-preview.js';
import { JobsService } from './jobs.service.js';
import { ListJobsQueryDto } from './list-jobs-query.dto.js';

const LOCATION = { Location: { schema: { type: 'string' as const } } };

@ApiTags('Jobs')
@Controller('api/ai/enhance')
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly preview: JobPreview,
  ) {}

  @Post()
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Create an enhancement job',
    operationId: 'createJob',
    description:
      'Takes one enhancement from the plan, which is given back if the job fails or is canceled. Send an `Idempotency-Key` to retry safely, and `Prefer: wait=n` to get the finished job in one request.',
  })
  @ApiPreferWait()
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiHeader(CANCEL_AFTER_HEADER)
  @ApiCreatedResponse({ type: JobDto, headers: LOCATION })
  @ApiOkResponse({
    type: DryRunDto,
    description: 'With `dryRun`: what the job would do. No job was created.',
  })
  @ApiAcceptedResponse({
    type: JobDto,
    headers: LOCATION,
    description: 'The job was created, but could not be waited for as `Prefer` asked: poll it.',
  })
  @Problems(
    'malformed_json',
    'invalid_request',
    'invalid_source_url',
    'quota_exceeded',
    'not_found',
    'idempotency_in_progress',
    'gone',
    'payload_too_large',
    'unsupported_media_type',
    'too_many_pixels',
    'idempotency_mismatch',
    'pixel_rate_limited',
    ...KEY_PROBLEMS,
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() dto: CreateJobDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @PreferWait() patience: Patience,
    @CancelAfter() cancelAfter: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JobDto | DryRunDto> {
    const order = withCancelAfter(dto, cancelAfter);
    if (dto.dryRun === true) {
      reply.status(200);
      return this.preview.of(principal, order);
    }
    const body = bodyOf(await this.jobs.create(principal, order, idempotencyKey), reply);
    reply.header('Location', `/api/ai/enhance/${body.id}`);
    if (!this.jobs.mayWait(principal, patience)) return body;
    const waited = await this.jobs.waitForNew(principal.accountId, body.id, patience);
    if (waited === null) reply.status(202);
    else reply.header('Preference-Applied', preferenceApplied(patience));
    return waited ?? body;
  }

  @Get()
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'List jobs, newest first',
    operationId: 'listJobs',
    description: 'Deleted jobs are left out. Filters can be combined. Follow `nextCursor` until it is null.',
  })
  @ApiOkResponse({ type: JobListDto })
  @Problems('invalid_request', 'invalid_cursor', ...KEY_PROBLEMS)
  list(@CurrentPrincipal() principal: Principal, @Query() query: ListJobsQueryDto): Promise<Page<JobDto>> {
    return this.jobs.list(principal.accountId, query);
  }

  @Get(':id')
  @AnyScope('image:read', 'ai:enhance')
  @ApiPreferWait()
  @ApiOperation({
    summary: 'One job: poll it until it is completed or failed',
    operationId: 'getJob',
    description: 'With `Prefer: wait=n`, the answer comes when the job has ended, or after n seconds.',
  })
  @ApiOkResponse({ type: JobDto })
  @Problems('not_found', 'gone', ...KEY_PROBLEMS)
  get(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @PreferWait() patience: Patience,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JobDto> {
    if (!this.jobs.mayWait(principal, patience)) return this.jobs.get(principal.accountId, id);
    reply.header('Preference-Applied', preferenceApplied(patience));
    return this.jobs.waitFor(principal.accountId, id, patience);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Cancel a job that has not ended; it costs nothing',
    operationId: 'cancelJob',
    description: 'The job fails with the code `canceled`. 409 when it has ended already.',
  })
  @ApiOkResponse({ type: JobDto })
  @Problems('not_found', 'job_already_finished', 'gone', ...KEY_PROBLEMS)
  cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<JobDto> {
    return this.jobs.cancel(principal.accountId, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Delete a job: canceled if needed, its result erased at once',
    operationId: 'deleteJob',
    description:
      'A deleted job answers 410 from then on. The enhancement of a completed job is not given back.',
  })
  @ApiNoContentResponse()
  @Problems('not_found', 'gone', ...KEY_PROBLEMS)
  delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    return this.jobs.delete(principal.accountId, id);
  }
}

/** @throws AppError `invalid_request` when both are given */
function withCancelAfter(dto: CreateJobDto, header: string | undefined): CreateJobDto {
  if (header === undefined) return dto;
  if (dto.cancelAfter === undefined) return Object.assign(dto, { cancelAfter: header });
  const message = 'Send either the Cancel-After header or cancelAfter in the body.';
  throw invalidRequest([{ field: 'cancelAfter', code: 'conflict', message }]);
}
