import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import type { Page } from '../../common/lists/pagination.js';
import {
  type FailedJobDto,
  FailedJobListDto,
  FailedJobsQueryDto,
  FailureCountsDto,
  RerunDto,
} from './failed-job.dto.js';
import { FailedJobs } from './failed-jobs.js';
import { JobReruns } from './job-reruns.js';

/** Failed jobs of all accounts. */
@Controller('operator/api/failed-jobs')
@OperatorOnly()
export class FailedJobsController {
  constructor(
    private readonly failures: FailedJobs,
    private readonly reruns: JobReruns,
  ) {}

  @Get()
  @ApiOkResponse({ type: FailedJobListDto })
  list(@Query() query: FailedJobsQueryDto): Promise<Page<FailedJobDto>> {
    return this.failures.list(query);
  }

  @Get('counts')
  @ApiOkResponse({ type: FailureCountsDto })
  counts(@Query() query: FailedJobsQueryDto): Promise<FailureCountsDto> {
    return this.failures.counts(query);
  }

  @Post(':id/run-again')
  @HttpCode(201)
  @ApiCreatedResponse({ type: RerunDto })
  runAgain(@Param('id') id: string): Promise<RerunDto> {
    return this.reruns.run(id);
  }
}
