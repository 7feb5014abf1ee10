import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsInstant } from '../common/validation/instant.validator.js';
import { ListQueryDto } from '../common/lists/list-query.dto.js';
import { JOB_STATUSES, type JobStatus } from '../kernel/operations.js';

const OPERATION_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const BATCH_ID = /^bat_[0-9a-f]{32}$/;

export class ListJobsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: JOB_STATUSES, description: 'Only jobs in this state.' })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  @ApiPropertyOptional({
    type: 'string',
    pattern: OPERATION_NAME.source,
    description: 'Only jobs of this operation. One that the service does not know is refused.',
  })
  @IsOptional()
  @Matches(OPERATION_NAME, { message: 'operation must be the name of an operation' })
  operation?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Only jobs created after this time.',
  })
  @IsOptional()
  @IsInstant()
  createdAfter?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Only jobs created before this time.',
  })
  @IsOptional()
  @IsInstant()
  createdBefore?: string;

  @ApiPropertyOptional({
    type: 'string',
    pattern: BATCH_ID.source,
    description: 'Only jobs of this batch, also those that a retry replaced.',
  })
  @IsOptional()
  @Matches(BATCH_ID, { message: 'batchId must be the id of a batch' })
  batchId?: string;
}
