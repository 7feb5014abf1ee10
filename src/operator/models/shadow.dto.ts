import { ApiProperty } from '@nestjs/swagger';
import { DIFFERENCE_MEASURES, type DifferenceMeasure } from '../../models/serving/difference-measure.js';
import { IsPercent, IsVersion } from './model-fields.decorator.js';

const MS_OF_JOB = 'of a job, milliseconds, on average.';

/** A version that a share of the finished jobs is run on once more. */
export class ShadowDto {
  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  percent: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it started.' })
  since: string;

  @ApiProperty({ type: [String], description: 'Ids of the workers that have loaded it.' })
  loadedOn: readonly string[];

  @ApiProperty({
    type: [String],
    description: 'Ids of the workers that have not loaded it. Their jobs are not compared.',
  })
  missingOn: readonly string[];
}

export class SetShadowDto {
  @IsVersion()
  version: number;

  @IsPercent('Share of the finished jobs of the operation.')
  percent: number;
}

export class StopShadowDto {
  @IsVersion('The version of the shadow. Rejected if a different version is now the shadow.')
  version: number;
}

export class ShadowFiguresDto {
  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: 'integer', description: 'The version that its results are compared with.' })
  serving: number;

  @ApiProperty({ type: 'integer', description: 'Jobs whose results were compared.' })
  compared: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Jobs that were not compared, because other jobs came, space was short, or the photo was deleted.',
  })
  dropped: number;

  @ApiProperty({ type: 'integer', description: 'Jobs that the shadow failed and the other version did not.' })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Workers that ended during a run of the shadow.' })
  lost: number;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether new runs are paused because too many workers ended.',
  })
  isPaused: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it failed the last time.' })
  lastFailure: string | null;

  @ApiProperty({
    enum: DIFFERENCE_MEASURES,
    nullable: true,
    description:
      '`color`: a difference is the mean absolute difference of R, G and B, in percent of full scale. `matte`: it is 100 − IoU in percent, of the pixels whose alpha is at least ½. Null before the first comparison.',
  })
  measure: DifferenceMeasure | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Median difference, percent, within 5% of its value.',
  })
  medianPercent: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: 'Largest difference, percent.' })
  worstPercent: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'For colors: PSNR of the mean squared error of all jobs, dB. Null for equal results.',
  })
  psnrDb: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: `Inference time of the other version ${MS_OF_JOB}`,
  })
  servingMs: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: `Inference time of the shadow ${MS_OF_JOB}` })
  shadowMs: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Inference time of the shadow per that of the other version.',
  })
  timeRatio: number | null;
}
