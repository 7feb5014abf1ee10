import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsNumber, Max, Min } from 'class-validator';
import { IsChecked } from '../../../common/validation/checked.validator.js';
import { IsNullable, IsOmittable } from '../../../common/validation/omittable.decorator.js';
import { IMAGE_FORMATS, type ImageFormat } from '../../../kernel/operations.js';
import {
  type BackgroundFit,
  MAX_PADDING,
  METADATA_MODES,
  type MetadataMode,
  OUTPUT_KINDS,
  type OutputKind,
  type Shadow,
} from '../../../kernel/output-options.js';
import { backgroundFault, shadowFault } from './output-members.js';
import { BACKGROUND_SCHEMA, SHADOW_SCHEMA } from './output-schemas.js';

const QUALITY = 'quality must be a whole number from 1 to 100';
const PADDING = `padding must be a number from 0 to ${MAX_PADDING}`;
/** The smallest picture of each format takes about this. */
const MIN_BYTES = 1_000;
/** The column for sizes holds more, and no result is larger. */
const MAX_BYTES = 2_000_000_000;
const BYTES = `maxBytes must be a whole number from ${MIN_BYTES} to ${MAX_BYTES}`;

/** The picture behind a subject. */
export interface BackgroundPictureDto {
  readonly sourceUrl: string;
  readonly fit?: BackgroundFit;
}

export class OutputDto {
  @ApiPropertyOptional({
    enum: IMAGE_FORMATS,
    description:
      "Default: the source's format; `bg_remove`: `png`. A large AVIF (above 22 megapixels, with transparency 15) keeps its colors at half the resolution.",
  })
  @IsOmittable()
  @IsIn(IMAGE_FORMATS)
  format?: ImageFormat;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    nullable: true,
    description: 'Default (also for null): a value that suits the format. PNG is lossless.',
  })
  @IsNullable()
  @IsInt({ message: QUALITY })
  @Min(1, { message: QUALITY })
  @Max(100, { message: QUALITY })
  quality?: number | null;

  @ApiPropertyOptional(BACKGROUND_SCHEMA)
  @IsNullable()
  @IsChecked('background', backgroundFault)
  background?: string | BackgroundPictureDto | null;

  @ApiPropertyOptional({
    enum: ['subject'],
    description:
      'Cuts the result to the subject, with `padding`. A side on which the source cuts the subject off gets no padding. Needs a result with transparency.',
  })
  @IsOmittable()
  @IsIn(['subject'])
  crop?: 'subject';

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    maximum: MAX_PADDING,
    default: 0,
    description: 'Space around the cropped subject, as a share of its longer side: 0.05 is 5%.',
  })
  @IsOmittable()
  @IsNumber({}, { message: PADDING })
  @Min(0, { message: PADDING })
  @Max(MAX_PADDING, { message: PADDING })
  padding?: number;

  @ApiPropertyOptional(SHADOW_SCHEMA)
  @IsOmittable()
  @IsChecked('shadow', shadowFault)
  shadow?: boolean | Partial<Shadow>;

  @ApiPropertyOptional({
    enum: OUTPUT_KINDS,
    default: 'image',
    description:
      '`mask`: the transparency as an 8-bit gray image, white where the subject is. `edges`: its outline as an 8-bit gray image. Both need a result with transparency.',
  })
  @IsOmittable()
  @IsIn(OUTPUT_KINDS)
  kind?: OutputKind;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: MIN_BYTES,
    maximum: MAX_BYTES,
    description:
      'The result takes at most this many bytes: its quality is lowered until it fits, down to 20. A job whose result does not fit fails with `result_too_large` and is not charged. PNG is lossless, so it fits or fails.',
  })
  @IsOmittable()
  @IsInt({ message: BYTES })
  @Min(MIN_BYTES, { message: BYTES })
  @Max(MAX_BYTES, { message: BYTES })
  maxBytes?: number;

  @ApiPropertyOptional({
    enum: METADATA_MODES,
    default: 'strip',
    description:
      "Whether the result has its source's EXIF, XMP and (JPEG) IPTC metadata. Maker notes and embedded thumbnails are never kept; orientation and size are corrected.",
  })
  @IsOmittable()
  @IsIn(METADATA_MODES)
  metadata?: MetadataMode;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description:
      'Writes the IPTC `DigitalSourceType` into the XMP metadata of the result, which says that a trained model has worked on it.',
  })
  @IsOmittable()
  @IsBoolean()
  provenance?: boolean;
}
