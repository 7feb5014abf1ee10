import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { ListJobsQueryDto } from '../list-jobs-query.dto.js';

const MAX_NAME = 200;

/** Filters of the dashboard's list: a canceled job is a failed one for programs, and just canceled for people. */
export class SessionListJobsQueryDto extends ListJobsQueryDto {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only canceled jobs, or none of them. Left out, both are listed.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  canceled?: 'true' | 'false';

  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: MAX_NAME,
    description:
      'Only jobs of photos whose file name contains this text, in upper or lower case. Looks at the newest 2,000 jobs that match the other filters.',
  })
  @IsOptional()
  @MaxLength(MAX_NAME)
  @Matches(/^\P{Cc}+$/u, { message: 'name must have 1 or more characters and no control characters' })
  name?: string;
}
