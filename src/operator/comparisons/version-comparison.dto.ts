import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { type Level, LEVELS } from '../../kernel/operations.js';
import {
  COMPARISON_STATUSES,
  type ComparisonStatus,
} from '../../models/serving/comparisons/version-comparison.js';
import { DIFFERENCE_MEASURES, type DifferenceMeasure } from '../../models/serving/difference-measure.js';
import { IsVersion } from '../models/model-fields.decorator.js';

export class CompareVersionsDto {
  @IsVersion('A version that a running worker has in its model repository. It need not be loaded.')
  a: number;

  @IsVersion('Another version of the same operation.')
  b: number;

  @ApiProperty({ enum: LEVELS })
  @IsIn(LEVELS)
  level: Level;

  @ApiProperty({ type: 'string', description: 'A photo that your account uploaded.' })
  @IsString()
  @MaxLength(2_000)
  sourceUrl: string;
}

class ComparisonSourceDto {
  @ApiProperty({ type: 'integer', description: 'Pixels.' })
  width: number;

  @ApiProperty({ type: 'integer', description: 'Pixels.' })
  height: number;
}

class VersionResultDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Pixels. Null when the photo was refused.' })
  width: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Pixels. Null when the photo was refused.' })
  height: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Inference time, milliseconds: the fastest of up to three runs.',
  })
  inferenceMs: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Error code with which the version refused the photo, such as `no_subject_found`.',
  })
  refusal: string | null;
}

class ResultDifferenceDto {
  @ApiProperty({
    enum: DIFFERENCE_MEASURES,
    description:
      '`color`: mean absolute difference of R, G and B, percent of full scale. `matte`: 100 − IoU in percent, of the pixels whose alpha is at least ½.',
  })
  measure: DifferenceMeasure;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 100 })
  percent: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'For colors: PSNR, dB. Null for mattes, and for equal results.',
  })
  psnrDb: number | null;
}

class ComparisonResultsDto {
  @ApiProperty({
    type: ComparisonSourceDto,
    description:
      'The photo as both versions got it: shrunk so that the results are at most 2,048 pixels long, or, for versions that enlarge, its center at full size.',
  })
  source: ComparisonSourceDto;

  @ApiProperty({ type: VersionResultDto })
  a: VersionResultDto;

  @ApiProperty({ type: VersionResultDto })
  b: VersionResultDto;

  @ApiProperty({
    type: ResultDifferenceDto,
    nullable: true,
    description: 'Null when a version refused the photo, or the results differ in size.',
  })
  difference: ResultDifferenceDto | null;
}

/** Two versions of a model on one photo. */
export class VersionComparisonDto {
  @ApiProperty({ type: 'string', example: 'cmp_01a2072b20cb760baa3fd5b7ec8a4ea5' })
  id: string;

  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ enum: LEVELS })
  level: Level;

  @ApiProperty({ type: 'integer' })
  a: number;

  @ApiProperty({ type: 'integer' })
  b: number;

  @ApiProperty({ enum: COMPARISON_STATUSES })
  status: ComparisonStatus;

  @ApiProperty({ type: ComparisonResultsDto, nullable: true, description: 'Null until it has completed.' })
  results: ComparisonResultsDto | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it failed, in a sentence.' })
  failure: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  endedAt: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it is deleted, pictures included.' })
  expiresAt: string;
}

export class VersionComparisonsDto {
  @ApiProperty({ type: [VersionComparisonDto] })
  data: readonly VersionComparisonDto[];
}
