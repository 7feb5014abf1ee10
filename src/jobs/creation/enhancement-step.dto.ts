import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsIn, IsInt, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import { IsChecked } from '../../common/validation/checked.validator.js';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { DEFAULT_LEVEL, type Level, LEVELS, SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { RESIZE_FITS, type ResizeFit } from '../../kernel/step-options.js';
import { MASK_SCHEMA, maskFault } from './step-mask.js';

/** Larger than the factor of any network that is in use. */
const MAX_SCALE = 8;
/** The longest side of any format. */
const MAX_SIDE = 1_000_000;
const STRENGTH = 'strength must be a number from 0 to 1';
const SCALE = `scale must be a whole number from 1 to ${MAX_SCALE}`;
const WIDTH = `width must be a whole number from 1 to ${MAX_SIDE}`;
/** Operation and version of a model. */
const PINNED_MODEL = /^[a-z][a-z0-9_]{0,63}@[1-9]\d{0,8}$/;
const HEIGHT = `height must be a whole number from 1 to ${MAX_SIDE}`;

/** What corrects a cutout. */
export interface MaskDto {
  readonly sourceUrl: string;
}

/** The options of one operation. A job with a single operation has them at the top level of its request. */
export class StepOptionsDto {
  @ApiPropertyOptional({ enum: LEVELS, default: DEFAULT_LEVEL })
  @IsOmittable()
  @IsIn(LEVELS)
  level?: Level;

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    maximum: 1,
    description:
      'In place of the strength of the level. Only for operations whose levels differ in strength: see `strengths` of `GET /api/ai/operations`.',
  })
  @IsOmittable()
  @IsNumber({}, { message: STRENGTH })
  @Min(0, { message: STRENGTH })
  @Max(1, { message: STRENGTH })
  strength?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_SCALE,
    description:
      'Only for operations that enlarge: chooses the level by the factor of its network, for example 2 or 4. A `level` beside it must have the same factor.',
  })
  @IsOmittable()
  @IsInt({ message: SCALE })
  @Min(1, { message: SCALE })
  @Max(MAX_SCALE, { message: SCALE })
  scale?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_SIDE,
    description:
      'Only for operations that enlarge: the exact width of the result in pixels. The network enlarges first, then the result is resampled down (Lanczos). Without `level` and `scale`, the size chooses the network; a size beyond it is refused.',
  })
  @IsOmittable()
  @IsInt({ message: WIDTH })
  @Min(1, { message: WIDTH })
  @Max(MAX_SIDE, { message: WIDTH })
  width?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_SIDE, description: 'As `width`.' })
  @IsOmittable()
  @IsInt({ message: HEIGHT })
  @Min(1, { message: HEIGHT })
  @Max(MAX_SIDE, { message: HEIGHT })
  height?: number;

  @ApiPropertyOptional({
    enum: RESIZE_FITS,
    default: 'inside',
    description:
      'With `width` and `height`: `inside` keeps the aspect ratio within them, `cover` crops at the center, `fill` stretches.',
  })
  @IsOmittable()
  @IsIn(RESIZE_FITS)
  fit?: ResizeFit;

  @ApiPropertyOptional({
    type: 'string',
    pattern: PINNED_MODEL.source,
    example: 'upscale@1',
    description:
      'Pins the version of the model: the operation and a version number, as in `model.version` of `GET /api/ai/operations`. Refused when no worker serves it; no other version runs the job. Without it, the version that serves.',
  })
  @IsOmittable()
  @Matches(PINNED_MODEL, { message: 'model must be an operation and a version, such as upscale@2' })
  @IsString()
  model?: string;

  @ApiPropertyOptional(MASK_SCHEMA)
  @IsOmittable()
  @IsChecked('mask', maskFault)
  mask?: MaskDto;
}

/** One operation of a job, with its options. */
export class EnhancementStepDto extends StepOptionsDto {
  @ApiProperty({
    type: 'string',
    description: `One of ${SPECIFIED_OPERATIONS.map((name) => `\`${name}\``).join(', ')}, or another that \`GET /api/ai/operations\` lists.`,
    example: 'upscale',
  })
  @IsDefined({ message: 'operation is required' })
  @IsString()
  operation: string;
}
