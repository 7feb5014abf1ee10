import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { JOB_STATUSES, type JobStatus } from '../../kernel/operations.js';

export class ListBatchJobsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: JOB_STATUSES, description: 'Only jobs in this state.' })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;
}
