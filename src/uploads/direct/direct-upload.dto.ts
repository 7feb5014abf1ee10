import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsInt, IsString, Matches, MaxLength, Min } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';

const BYTES = 'bytes must be the size of the file, a whole number of at least 1';

export class CreateDirectUploadDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Size of the file, at most 20 MB.',
    example: 208_411,
  })
  @IsDefined({ message: 'bytes is required' })
  @IsInt({ message: BYTES })
  @Min(1, { message: BYTES })
  bytes: number;

  @ApiPropertyOptional({
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the file, hex. The upload is completed only with these bytes.',
  })
  @IsOmittable()
  @Matches(/^[0-9a-f]{64}$/, { message: 'sha256 must be 64 lowercase hex digits' })
  sha256?: string;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: 1024,
    description: 'Name of the file, for the dashboard.',
  })
  @IsOmittable()
  @IsString()
  @MaxLength(1024)
  fileName?: string;
}

export class DirectUploadDto {
  @ApiProperty({ type: 'string', example: 'upl_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ enum: ['PUT'], description: 'How the file is sent to `uploadUrl`.' })
  method: 'PUT';

  @ApiProperty({
    type: 'string',
    format: 'uri',
    description: 'URL at the object store. Anyone who has it can send the file until it expires.',
  })
  uploadUrl: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Headers that the request must have.',
  })
  headers: Record<string, string>;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Complete the upload before this time.' })
  expiresAt: string;
}
