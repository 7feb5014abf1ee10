import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SkippedItemDto } from '../../../common/resources/batch.dto.js';
import { type Level, LEVELS } from '../../../kernel/operations.js';
import { DryRunQuotaDto } from '../../preview/dry-run.dto.js';

/** What the request for a batch would do, without doing it. */
export class BatchDryRunDto {
  @ApiProperty({ type: 'boolean', enum: [true] })
  dryRun: true;

  @ApiProperty({ type: 'string', example: 'upscale', description: 'The first operation of every job.' })
  operation: string;

  @ApiProperty({ enum: LEVELS, description: 'Level of the first operation.' })
  level: Level;

  @ApiPropertyOptional({ type: 'string', description: 'Only when the request named a preset.' })
  preset?: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Jobs that would be created.' })
  total: number;

  @ApiProperty({ type: 'integer', description: 'Enhancements that they would take from the plan.' })
  cost: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'Jobs that would be completed at once with the result of an equal earlier job. They cost nothing.',
  })
  cached: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description:
      'From creation to the end of the last item, with all workers that serve now. An estimate. Null while no worker serves.',
  })
  estimatedSeconds: number | null;

  @ApiProperty({
    type: [SkippedItemDto],
    description: 'The items that would get no job. Empty unless `onQuota` is `partial`.',
  })
  skipped: SkippedItemDto[];

  @ApiProperty({ type: DryRunQuotaDto })
  quota: DryRunQuotaDto;
}
