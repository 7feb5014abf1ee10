import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** Time spans of the charts, each with the length of its periods. */
export const SPANS = {
  '1h': { spanSeconds: 3_600, resolution: 60 },
  '24h': { spanSeconds: 86_400, resolution: 600 },
  '7d': { spanSeconds: 604_800, resolution: 3_600 },
} as const;

export type Span = keyof typeof SPANS;

const NAMES = Object.keys(SPANS) as Span[];

export class HistoryQueryDto {
  @ApiPropertyOptional({ enum: NAMES, default: '1h' })
  @IsOptional()
  @IsIn(NAMES, { message: `span must be one of ${NAMES.join(', ')}` })
  span: Span = '1h';
}

export class LoadPointDto {
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Start of the period.' })
  at: string;

  @ApiProperty({ type: 'number' })
  jobsPerMinute: number;

  @ApiProperty({ type: 'integer', description: 'Failed jobs of the period. Canceled jobs are not counted.' })
  failed: number;

  @ApiProperty({ type: 'number', nullable: true, description: 'At most 19% too high.' })
  p50Ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: 'At most 19% too high.' })
  p99Ms: number | null;

  @ApiProperty({ type: 'integer', description: 'Waiting jobs, the peak of the period.' })
  queued: number;

  @ApiProperty({ type: 'number' })
  oldestWaitSeconds: number;

  @ApiProperty({ type: 'integer' })
  workers: number;

  @ApiProperty({ type: 'number', nullable: true, description: '0–1, the mean of all GPUs.' })
  gpuUtilization: number | null;

  @ApiProperty({ type: 'number', nullable: true })
  gpuMemoryBytes: number | null;

  @ApiProperty({ type: 'integer', description: 'Due webhook deliveries, the peak of the period.' })
  deliveriesDue: number;
}

export class LoadHistoryDto {
  @ApiProperty({ enum: NAMES })
  span: Span;

  @ApiProperty({ type: 'integer', description: 'Length of a period, seconds.' })
  resolution: number;

  @ApiProperty({
    type: [LoadPointDto],
    description: 'Oldest first. Periods in which no dispatcher ran are missing.',
  })
  points: readonly LoadPointDto[];
}
