import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JobOutputDto } from '../../common/resources/job-output.dto.js';
import { IMAGE_FORMATS, type ImageFormat, type Level, LEVELS } from '../../kernel/operations.js';

export class DryRunResultDto {
  @ApiProperty({ enum: IMAGE_FORMATS })
  format: ImageFormat;

  @ApiProperty({ type: 'integer', description: 'Pixels.' })
  width: number;

  @ApiProperty({ type: 'integer', description: 'Pixels.' })
  height: number;
}

export class DryRunQuotaDto {
  @ApiProperty({
    type: 'integer',
    description: 'Enhancements that remain this month, before the cost of this job.',
  })
  remaining: number;
}

/** What a request would do, without doing it. */
export class DryRunDto {
  @ApiProperty({ type: 'boolean', enum: [true] })
  dryRun: true;

  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ enum: LEVELS })
  level: Level;

  @ApiProperty({ type: JobOutputDto, description: 'With all defaults resolved.' })
  output: JobOutputDto;

  @ApiProperty({ type: 'integer', description: 'Enhancements that the job would take from the plan.' })
  cost: number;

  @ApiPropertyOptional({
    type: 'boolean',
    enum: [true],
    description: 'Only when the job would get the result of an equal one.',
  })
  cached?: true;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description:
      'From creation to completion: waiting behind other jobs, and the work itself at its recent speed. An estimate. Null while no worker serves.',
  })
  estimatedSeconds: number | null;

  @ApiProperty({
    type: DryRunResultDto,
    description: 'With `output.crop`, the largest result that is possible.',
  })
  result: DryRunResultDto;

  @ApiProperty({ type: DryRunQuotaDto })
  quota: DryRunQuotaDto;
}
