import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { CANARY_SUBJECTS, type CanarySubject } from '../../models/repository/version-choice.js';
import { IsPercent, IsVersion } from './model-fields.decorator.js';

/**
 * The newest jobs of the service that are looked at. With 100,000 ended jobs, EXPLAIN ANALYZE shows 210 pages and about
 * 20 ms. 50,000 jobs took 5,141 pages, temporary files and about 750 ms, every 15 s for each open console.
 */
export const MAX_CANARY_JOBS = 2_000;

const BY = 'By what the requests are chosen. Requests without a key are always chosen by account.';

/** A version that a share of new jobs gets. */
export class CanaryDto {
  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  percent: number;

  @ApiProperty({ enum: CANARY_SUBJECTS, description: BY })
  by: CanarySubject;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it started.' })
  since: string;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether new jobs get it: every worker of the operation has loaded it.',
  })
  active: boolean;

  @ApiProperty({ type: [String], description: 'Ids of the workers that have not loaded it.' })
  missingOn: readonly string[];
}

export class SetCanaryDto {
  @IsVersion()
  version: number;

  @IsPercent()
  percent: number;

  @ApiPropertyOptional({ enum: CANARY_SUBJECTS, default: 'account', description: BY })
  @IsOmittable()
  @IsIn(CANARY_SUBJECTS)
  by?: CanarySubject;
}

export class EndCanaryDto {
  @IsVersion('The version of the canary. Rejected if a different version is now the canary.')
  version: number;
}

export class VersionFiguresDto {
  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: 'integer', description: 'Jobs that ended, without canceled and cached ones.' })
  jobs: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Inference time for each megapixel of the source, of completed jobs.',
  })
  secondsPerMegapixel: number | null;
}

export class CanaryFiguresDto {
  @ApiProperty({
    type: [VersionFiguresDto],
    description:
      'The version that serves, and the canary. Jobs that were created since the canary started, and whose first operation is this one.',
  })
  data: readonly VersionFiguresDto[];

  @ApiProperty({
    type: 'boolean',
    description: `Whether only the newest ${MAX_CANARY_JOBS} jobs of the service were counted.`,
  })
  isCapped: boolean;
}
