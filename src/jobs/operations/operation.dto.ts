import { ApiProperty } from '@nestjs/swagger';
import { type Level, LEVELS } from '../../kernel/operations.js';
import { JobModelDto } from '../../common/resources/job.dto.js';

export class OperationDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ type: 'string' })
  description: string;

  @ApiProperty({ enum: LEVELS, isArray: true })
  levels: readonly Level[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Result pixels per source pixel along each axis, by level.',
    example: { low: 2, medium: 2, high: 4 },
  })
  scales: Readonly<Record<string, number>>;

  @ApiProperty({ type: 'boolean', description: 'The result has an alpha channel whatever the source had.' })
  producesAlpha: boolean;

  @ApiProperty({ type: JobModelDto })
  model: JobModelDto;
}

export class OperationListDto {
  @ApiProperty({ type: [OperationDto] })
  data: readonly OperationDto[];
}
