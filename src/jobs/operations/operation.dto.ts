import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'Strength of each level, from 0 to 1. Present if a job can ask for another `strength`.',
    example: { low: 0.32, medium: 0.55, high: 0.95 },
  })
  strengths?: Readonly<Record<string, number>> | undefined;

  @ApiProperty({ type: JobModelDto })
  model: JobModelDto;
}

export class OperationListDto {
  @ApiProperty({ type: [OperationDto] })
  data: readonly OperationDto[];
}
