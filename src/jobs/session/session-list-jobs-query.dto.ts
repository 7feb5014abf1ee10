import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ListJobsQueryDto } from '../list-jobs-query.dto.js';

/** Filters of the dashboard's list: a canceled job is a failed one for programs, and just canceled for people. */
export class SessionListJobsQueryDto extends ListJobsQueryDto {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only canceled jobs, or none of them. Left out, both are listed.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  canceled?: 'true' | 'false';
}
