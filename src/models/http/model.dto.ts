import { ApiProperty } from '@nestjs/swagger';
import { OperationDto } from '../../jobs/operations/operation.dto.js';

/** The last jobs of the account with one operation. */
export class RecentJobsDto {
  @ApiProperty({ type: 'integer' })
  completed: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty({ type: 'string', nullable: true })
  device: string | null;

  @ApiProperty({ type: 'number', nullable: true })
  inferenceMsMedian: number | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastAt: string | null;
}

/**
 * Summary of the last batches of one stage on one kind of device. Single batches are not shown: their times and sizes
 * would reveal other customers' images.
 */
export class BatchSummaryDto {
  @ApiProperty({ type: 'string' })
  stage: string;

  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: 'string' })
  device: string;

  @ApiProperty({
    type: 'integer',
    description: 'How many this is made of, at most as many as one worker keeps.',
  })
  batches: number;

  @ApiProperty({
    type: 'number',
    description: 'Places that were taken, of all there were; 0 to 1, in tenths.',
  })
  filled: number;

  @ApiProperty({ type: 'number' })
  runMsMedian: number;
}

/** The model of an operation, and its recent jobs. */
export class ModelDto extends OperationDto {
  @ApiProperty({ type: 'string', nullable: true })
  engine: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  license: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  trainedOn: string | null;

  @ApiProperty({ type: 'string', description: "Markdown of the model's own page; empty when it has none." })
  card: string;

  @ApiProperty({ type: RecentJobsDto })
  recent: RecentJobsDto;

  @ApiProperty({ type: [BatchSummaryDto], description: 'For the images of all accounts together.' })
  lastBatches: readonly BatchSummaryDto[];
}

export class ModelListDto {
  @ApiProperty({ type: [ModelDto] })
  data: readonly ModelDto[];
}
