import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Level, LEVELS } from '../../kernel/operations.js';
import { JobErrorDto } from './job.dto.js';
import { PageDto } from '../lists/page.dto.js';

export const BATCH_STATUSES = ['queued', 'processing', 'completed', 'canceled'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

const COUNT = { type: 'integer', minimum: 0 } as const;

export class BatchCountsDto {
  @ApiProperty({ ...COUNT, description: 'All items of the batch.' })
  total: number;

  @ApiProperty(COUNT)
  queued: number;

  @ApiProperty(COUNT)
  processing: number;

  @ApiProperty(COUNT)
  completed: number;

  @ApiProperty({ ...COUNT, description: 'Without canceled items.' })
  failed: number;

  @ApiProperty(COUNT)
  canceled: number;
}

export class BatchDto {
  @ApiProperty({ type: 'string', example: 'bat_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ type: 'boolean', description: 'False for a batch of test mode.' })
  livemode: boolean;

  @ApiProperty({
    enum: BATCH_STATUSES,
    description:
      '`completed`: every item has ended; `counts` shows the outcomes. `canceled`: it was canceled, and every item has ended. Both are final until a retry.',
  })
  status: BatchStatus;

  @ApiProperty({ type: BatchCountsDto })
  counts: BatchCountsDto;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'How many of the items have ended, rounded down.',
  })
  percent: number;

  @ApiProperty({ type: 'string', example: 'upscale', description: 'The first operation of every job.' })
  operation: string;

  @ApiProperty({ enum: LEVELS, description: 'Level of the first operation.' })
  level: Level;

  @ApiPropertyOptional({
    type: 'string',
    example: 'portrait',
    description: 'The preset that the request named. Only when it named one.',
  })
  preset?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'uri',
    description: 'Is called when every item has ended. Only when the request named one.',
  })
  callbackUrl?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Copied to every job of the batch.',
  })
  metadata: Record<string, string>;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the last item ended; null while some have not.',
  })
  completedAt: string | null;
}

export class BatchFailureDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Position in `sourceUrls`, from 0.' })
  index: number;

  @ApiProperty({ type: 'string' })
  jobId: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  sourceUrl: string;

  @ApiProperty({ type: JobErrorDto })
  error: JobErrorDto;
}

export class BatchDetailDto extends BatchDto {
  @ApiProperty({
    type: [BatchFailureDto],
    maxItems: 100,
    description:
      'The first 100 failed items, in order, without canceled ones. `GET …/jobs?status=failed` has all of them.',
  })
  failures: BatchFailureDto[];
}

export class SkippedItemDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Position in `sourceUrls`, from 0.' })
  index: number;

  @ApiProperty({ type: 'string' })
  sourceUrl: string;

  @ApiProperty({ type: 'string', description: 'Why: a code of the error table.', example: 'quota_exceeded' })
  reason: string;
}

/** A batch as the request that created or changed it answers it. */
export class BatchWithSkippedDto extends BatchDto {
  @ApiProperty({
    type: [SkippedItemDto],
    description: 'The items for which no job was created. Empty unless `onQuota` is `partial`.',
  })
  skipped: SkippedItemDto[];
}

export class BatchListDto extends PageDto(BatchDto) {}
