import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IMAGE_FORMATS, type ImageFormat } from '../../kernel/operations.js';
import {
  BACKGROUND_FITS,
  type BackgroundFit,
  METADATA_MODES,
  type MetadataMode,
  OUTPUT_KINDS,
  type OutputKind,
} from '../../kernel/output-options.js';

export class JobShadowDto {
  @ApiProperty({ type: 'number' })
  opacity: number;

  @ApiProperty({ type: 'number' })
  blur: number;

  @ApiProperty({ type: 'number' })
  offsetX: number;

  @ApiProperty({ type: 'number' })
  offsetY: number;
}

export class JobOutputDto {
  @ApiProperty({ enum: IMAGE_FORMATS })
  format: ImageFormat;

  @ApiProperty({ type: 'integer', nullable: true })
  quality: number | null;

  @ApiProperty({
    oneOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['sourceUrl', 'fit'],
        properties: {
          sourceUrl: { type: 'string', format: 'uri' },
          fit: { type: 'string', enum: [...BACKGROUND_FITS] },
        },
      },
      { type: 'null' },
    ],
    description: 'A color, or the upload behind the subject.',
  })
  background: string | { readonly sourceUrl: string; readonly fit: BackgroundFit } | null;

  @ApiPropertyOptional({ enum: ['subject'] })
  crop?: 'subject';

  @ApiPropertyOptional({ type: 'number' })
  padding?: number;

  @ApiPropertyOptional({ type: JobShadowDto })
  shadow?: JobShadowDto;

  @ApiPropertyOptional({ enum: OUTPUT_KINDS })
  kind?: OutputKind;

  @ApiPropertyOptional({ type: 'integer' })
  maxBytes?: number;

  @ApiPropertyOptional({ enum: METADATA_MODES })
  metadata?: MetadataMode;

  @ApiPropertyOptional({ type: 'boolean' })
  provenance?: boolean;
}

export class JobCropDto {
  @ApiProperty({ type: 'integer', description: 'May be negative: the result reaches beyond the picture.' })
  x: number;

  @ApiProperty({ type: 'integer' })
  y: number;

  @ApiProperty({ type: 'integer' })
  width: number;

  @ApiProperty({ type: 'integer' })
  height: number;
}

export class AppliedShadowDto {
  @ApiProperty({ type: 'number' })
  opacity: number;

  @ApiProperty({ type: 'number' })
  blurPixels: number;

  @ApiProperty({ type: 'number' })
  offsetXPixels: number;

  @ApiProperty({ type: 'number' })
  offsetYPixels: number;
}

export class AppliedOutputDto {
  @ApiPropertyOptional({ type: JobCropDto, description: 'The part of the picture that the result shows.' })
  crop?: JobCropDto;

  @ApiPropertyOptional({ type: AppliedShadowDto })
  shadow?: AppliedShadowDto;

  @ApiPropertyOptional({ enum: ['color', 'picture'] })
  background?: 'color' | 'picture';

  @ApiProperty({ enum: OUTPUT_KINDS })
  kind: OutputKind;

  @ApiPropertyOptional({ type: 'integer', description: 'Quality setting of the encoder; absent for PNG.' })
  quality?: number;

  @ApiProperty({ enum: METADATA_MODES })
  metadata: MetadataMode;

  @ApiPropertyOptional({ type: 'string', description: 'The IPTC digital source type in the XMP metadata.' })
  digitalSourceType?: string;

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'For `bg_remove`: how sure the model is about what belongs to the subject.',
  })
  confidence?: number;
}
