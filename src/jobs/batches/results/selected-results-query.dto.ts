import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';

const MAX_RESULTS = 100;
const LIST = new RegExp(`^job_[0-9a-f]{32}(?:,job_[0-9a-f]{32}){0,${MAX_RESULTS - 1}}$`);

export class SelectedResultsQueryDto {
  @ApiProperty({
    type: 'string',
    description: `Ids of jobs, separated by commas, at most ${MAX_RESULTS}.`,
    example: 'job_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f',
  })
  @Matches(LIST, { message: `ids must be 1 to ${MAX_RESULTS} ids of jobs, separated by commas` })
  ids: string;
}
