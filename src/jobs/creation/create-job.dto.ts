import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { IsListOfObjects } from '../../common/validation/checked.validator.js';
import { IsMetadata } from '../../common/validation/metadata.validator.js';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { type ImageFormat, SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { EnhancementStepDto, StepOptionsDto } from './enhancement-step.dto.js';
import { CANCEL_AFTER_PATTERN } from './cancel-after.js';
import { type JobRetention, RETENTIONS } from './job-retention.js';
import { OutputDto } from './output/output.dto.js';
import { PRESET_NAME } from '../presets/preset.js';

/** At most this many operations in one job. */
export const MAX_STEPS = 6;

/** What a job does, whatever its source: also that of every job of a batch. */
export class JobRequestDto extends StepOptionsDto {
  @ApiPropertyOptional({
    type: 'string',
    description: `One of ${SPECIFIED_OPERATIONS.map((name) => `\`${name}\``).join(', ')}, or another that \`GET /api/ai/operations\` lists. Required unless \`operations\` or \`preset\` is sent.`,
    example: 'upscale',
  })
  @ValidateIf(
    ({ operation, operations, preset }: JobRequestDto) =>
      operation !== undefined || (operations === undefined && preset === undefined),
  )
  @IsDefined({ message: 'operation is required' })
  @IsString()
  operation?: string;

  @ApiPropertyOptional({
    type: [EnhancementStepDto],
    minItems: 1,
    maxItems: MAX_STEPS,
    description:
      'Several operations, each on the result of the one before, instead of `operation`. Each counts as one enhancement. Put `auto_enhance` before `bg_remove`, because it judges the light of the whole picture. The options of an operation, such as `level`, are beside it.',
  })
  @IsOmittable()
  @ArrayMinSize(1, { message: 'operations must have at least one operation' })
  @ArrayMaxSize(MAX_STEPS, { message: `operations may have at most ${MAX_STEPS} operations` })
  @IsListOfObjects()
  // The rule nearest to the property is checked first, and errors name the first one that fails.
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EnhancementStepDto)
  operations?: EnhancementStepDto[];

  @ApiPropertyOptional({
    type: 'string',
    pattern: PRESET_NAME.source,
    example: 'portrait',
    description:
      'The name of a preset, instead of `operation`: the job does what the preset says now. An `output` in the request replaces the `output` of the preset.',
  })
  @IsOmittable()
  @Matches(PRESET_NAME, { message: 'preset must be the name of a preset' })
  @IsString()
  preset?: string;

  @ApiPropertyOptional({ type: OutputDto })
  @IsOmittable()
  @IsObject()
  @ValidateNested()
  @Type(() => OutputDto)
  output?: OutputDto;

  /**
   * The format that the headers of a form accept, for the output of its preset. Not a member of any body: `declare`
   * creates no field, so validation refuses it.
   */
  declare acceptedFormat?: ImageFormat;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 20,
    description:
      'At most 20 key-value pairs of strings, returned with the job. Keys have 1 to 40 characters, values at most 500.',
  })
  @IsOmittable()
  @IsMetadata()
  metadata?: Record<string, string>;
}

/** The terms of a job, or of all jobs of a batch. */
export class JobTermsDto extends JobRequestDto {
  @ApiPropertyOptional({
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    example: 'https://example.com/callbacks/4711',
    description:
      'Is called like a webhook when the job has completed or failed, or once when every item of the batch has ended; signed with the callback secret of the account. `https`, reachable from the public internet.',
  })
  @IsOmittable()
  @IsString()
  callbackUrl?: string;

  @ApiPropertyOptional({
    type: 'string',
    pattern: CANCEL_AFTER_PATTERN,
    example: '60s',
    description:
      'A job that has not ended by then is canceled and costs nothing: `60s`, `5m`, `1h30m`, or seconds. From 5 seconds to 7 days.',
  })
  @IsOmittable()
  @IsString()
  cancelAfter?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description:
      'Seconds that the result is kept. Default, and the most: as long as the service keeps results.',
  })
  @IsOmittable()
  @Min(1, { message: 'expiresIn must be at least 1 second' })
  @IsInt({ message: 'expiresIn must be a whole number of seconds' })
  expiresIn?: number;

  @ApiPropertyOptional({
    enum: RETENTIONS,
    description:
      '`deliver`: the images of result and source are erased once all bytes of the result were sent to a reader, and at the latest when the result expires or the job is deleted. The source of a failed job is erased when its result would have expired.',
  })
  @IsOmittable()
  @IsIn(RETENTIONS)
  retention?: JobRetention;

  @ApiPropertyOptional({
    type: 'boolean',
    description:
      '`true`: a job that is equal to an earlier one of the account (bytes of the source, operation, options, output, model files) is completed at once with a copy of its result, and costs no enhancement. `false`: it is enhanced again. In a batch, this applies to each item. Default: the setting of the account, which is off unless the operator has turned it on.',
  })
  @IsOmittable()
  @IsBoolean()
  cache?: boolean;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description:
      'Returns 200 with what the request would cost and how long it would take and, for a job, what its result would be. Nothing is created or charged, and an `Idempotency-Key` is ignored. Invalid requests are rejected as usual.',
  })
  @IsOmittable()
  @IsBoolean()
  dryRun?: boolean;
}

export class CreateJobDto extends JobTermsDto {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    description: 'The `url` of an upload of your account.',
    example:
      'https://images.example/files/src_0193f2c4a1a07c3d8e4f5a6b7c8d9e0f.jpg?exp=1795334400&sig=5f2c4a',
  })
  @IsDefined({ message: 'sourceUrl is required' })
  @IsString()
  sourceUrl: string;
}
