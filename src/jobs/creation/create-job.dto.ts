import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsMetadata } from '../../common/validation/metadata.validator.js';
import {
  DEFAULT_LEVEL,
  IMAGE_FORMATS,
  type ImageFormat,
  type Level,
  LEVELS,
  SPECIFIED_OPERATIONS,
} from '../../kernel/operations.js';

export class OutputDto {
  @ApiPropertyOptional({
    enum: IMAGE_FORMATS,
    description:
      "Default: the source's format; `bg_remove`: `png`. A large AVIF (above 28 megapixels, with transparency 21) keeps its colours at half the resolution.",
  })
  @IsOptional()
  @IsIn(IMAGE_FORMATS)
  format?: ImageFormat;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    description: 'Default: good for the format. PNG is lossless.',
  })
  @IsOptional()
  @IsInt({ message: 'quality must be a whole number from 1 to 100' })
  @Min(1, { message: 'quality must be a whole number from 1 to 100' })
  @Max(100, { message: 'quality must be a whole number from 1 to 100' })
  quality?: number;

  @ApiPropertyOptional({
    type: 'string',
    pattern: '^#[0-9a-fA-F]{6}$',
    description: 'Colour that replaces transparency. Needed for `bg_remove` with `jpeg`.',
  })
  @IsOptional()
  @Matches(/^#[0-9a-fA-F]{6}$/, { message: 'background must be a color like #rrggbb' })
  background?: string;
}

export class CreateJobDto {
  @ApiProperty({ type: 'string', format: 'uri', description: 'The `url` of an upload of your account.' })
  @IsDefined({ message: 'sourceUrl is required' })
  @IsString()
  sourceUrl: string;

  @ApiProperty({
    type: 'string',
    description: `One of ${SPECIFIED_OPERATIONS.map((name) => `\`${name}\``).join(', ')}, or another that \`GET /api/ai/operations\` lists.`,
    example: 'upscale',
  })
  @IsDefined({ message: 'operation is required' })
  @IsString()
  operation: string;

  @ApiPropertyOptional({ enum: LEVELS, default: DEFAULT_LEVEL })
  @IsOptional()
  @IsIn(LEVELS)
  level?: Level;

  @ApiPropertyOptional({ type: OutputDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => OutputDto)
  output?: OutputDto;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 20,
    description:
      'At most 20 pairs of text, given back with the job. Names have 1 to 40 characters, values at most 500.',
  })
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string>;
}
