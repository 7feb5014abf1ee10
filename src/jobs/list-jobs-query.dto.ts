import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsISO8601, IsOptional, IsString } from 'class-validator';
import { ListQueryDto } from '../common/list-query.dto.js';
import { JOB_STATUSES, type JobStatus } from '../kernel/operations.js';

export class ListJobsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: JOB_STATUSES })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  @ApiPropertyOptional({ type: 'string' })
  @IsOptional()
  @IsString()
  operation?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Only jobs created after this time.',
  })
  @IsOptional()
  @IsISO8601(
    { strict: true, strictSeparator: true },
    { message: 'createdAfter must be a time like 2026-11-21T08:00:00.000Z' },
  )
  createdAfter?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Only jobs created before this time.',
  })
  @IsOptional()
  @IsISO8601(
    { strict: true, strictSeparator: true },
    { message: 'createdBefore must be a time like 2026-11-21T08:00:00.000Z' },
  )
  createdBefore?: string;
}
