import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { IsInstant } from '../../common/validation/instant.validator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { MAX_COUNTED_FAILURES } from './failed-jobs.repository.js';
import { PageDto } from '../../common/lists/page.dto.js';

const NAME = /^[\w-]{1,80}$/;
const MAX_ACCOUNT = 254;

export class FailedJobsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ type: 'string', example: 'processing_failed' })
  @IsOptional()
  @Matches(NAME)
  code?: string;

  @ApiPropertyOptional({ type: 'string', example: 'upscale' })
  @IsOptional()
  @Matches(NAME)
  operation?: string;

  @ApiPropertyOptional({ type: 'string', description: 'Id or email address of the account.' })
  @IsOptional()
  @IsPlainText(MAX_ACCOUNT)
  account?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Only jobs created since then.' })
  @IsOptional()
  @IsInstant()
  since?: string;
}

export class FailedJobDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  accountId: string;

  @ApiProperty({ type: 'string', description: "Address of a user's account; the id of an organization." })
  email: string;

  @ApiProperty({
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  })
  accountName: string;

  @ApiProperty({ type: 'string' })
  operation: string;

  @ApiProperty({ type: 'string', example: 'processing_failed' })
  code: string;

  @ApiProperty({ type: 'string' })
  message: string;

  @ApiProperty({ type: 'integer' })
  attempts: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  failedAt: string;

  @ApiProperty({
    enum: ['possible', 'done', 'source_deleted', 'account_suspended'],
    description: 'Whether it can be run again, or why not.',
  })
  rerun: 'possible' | 'done' | 'source_deleted' | 'account_suspended';

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The job that replaced it: run by an operator, or by a retry of its batch.',
  })
  rerunAs: string | null;
}

export class FailedJobListDto extends PageDto(FailedJobDto) {}

export class FailureCountDto {
  @ApiProperty({ type: 'string', example: 'processing_failed' })
  code: string;

  @ApiProperty({ type: 'integer' })
  jobs: number;
}

export class FailureCountsDto {
  @ApiProperty({ type: [FailureCountDto], description: 'The most frequent code first.' })
  data: readonly FailureCountDto[];

  @ApiProperty({
    type: 'boolean',
    description: `Whether only the newest ${MAX_COUNTED_FAILURES} failed jobs were counted.`,
  })
  isCapped: boolean;
}

export class RerunDto {
  @ApiProperty({ type: 'string', description: 'The new job, or the one that was run before.' })
  jobId: string;

  @ApiProperty({ type: 'boolean', description: 'False when the job had been run again before.' })
  isNew: boolean;
}
