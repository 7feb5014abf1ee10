import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import type { FastifyReply, FastifyRequest } from '../common/requests/request-context.js';
import { isForm, validBody } from '../common/validation/valid-body.js';
import { bodyOf } from '../idempotency/body-of.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../kernel/principal.js';
import { ApiCreateJob } from './creation/api-create-job.decorator.js';
import { CancelAfter, withCancelAfter } from './creation/cancel-after.js';
import { CreateJobDto } from './creation/create-job.dto.js';
import { JobDto, JobListDto } from '../common/resources/job.dto.js';
import type { DryRunDto } from './preview/dry-run.dto.js';
import { JobPreview } from './preview/job-preview.js';
import { imagePreference, type ImagePreference } from './one-call/image-preference.js';
import { JobPicture } from './one-call/job-picture.js';
import { OneCall } from './one-call/one-call.js';
import { JobsService } from './jobs.service.js';
import { ListJobsQueryDto } from './list-jobs-query.dto.js';

@ApiTags('Jobs')
@Controller('api/ai/enhance')
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly preview: JobPreview,
    private readonly oneCall: OneCall,
    private readonly picture: JobPicture,
  ) {}

  @Post()
  @AnyScope('image:write', 'ai:enhance')
  @ApiCreateJob()
  async create(
    @CurrentPrincipal() principal: Principal,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @PreferWait() patience: Patience,
    @CancelAfter() cancelAfter: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JobDto | DryRunDto | StreamableFile> {
    const image = imagePreference(request.headers.accept);
    if (isForm(request)) {
      // The client decides how long its upload takes.
      request.isHeld = true;
      const job = await this.oneCall.create(principal, request.raw, idempotencyKey, {
        format: image.format,
        cancelAfter,
      });
      return this.answerNew(principal, bodyOf(job, reply), patience, { image, key: idempotencyKey }, reply);
    }
    const dto = withCancelAfter(await validBody(request, CreateJobDto), cancelAfter);
    if (dto.dryRun === true) {
      reply.status(200);
      return this.preview.of(principal, dto);
    }
    const job = await this.jobs.create(principal, dto, idempotencyKey);
    return this.answerNew(principal, bodyOf(job, reply), patience, { image, key: idempotencyKey }, reply);
  }

  /** The job, or its picture when the request waits for one. */
  private async answerNew(
    principal: Principal,
    job: JobDto,
    patience: Patience,
    { image, key }: { readonly image: ImagePreference; readonly key: string | undefined },
    reply: FastifyReply,
  ): Promise<JobDto | StreamableFile> {
    reply.header('Location', `/api/ai/enhance/${job.id}`);
    const wantsImage = image.isWanted && patience.waitMs > 0;
    if (!this.jobs.mayWait(principal, patience)) {
      if (wantsImage) reply.status(202);
      return job;
    }
    const waited = await this.jobs.waitForNew(principal.accountId, job.id, patience);
    if (waited === null) {
      reply.status(202);
      return job;
    }
    reply.header('Preference-Applied', preferenceApplied(patience));
    if (!wantsImage) return waited;
    const picture = await this.picture.of(waited, key, reply);
    if (picture === null) reply.status(202);
    return picture ?? waited;
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
    description: 'With `Prefer: wait=n`, the response is sent when the job ends, or after n seconds.',
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
    description: 'The job fails with the code `canceled`. 409 if it has already ended.',
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
      'Requests for a deleted job return 410. The enhancement of a completed job is not given back. With `retention: "deliver"`, the source is erased, too.',
  })
  @ApiNoContentResponse()
  @Problems('not_found', 'gone', ...KEY_PROBLEMS)
  async delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.jobs.delete(principal.accountId, id);
  }
}
