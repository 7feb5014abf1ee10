import { ApiProperty } from '@nestjs/swagger';
import { IMAGE_FORMATS, type ImageFormat } from '../../kernel/operations.js';
import { PageDto } from '../lists/page.dto.js';

export class SourceDto {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    description:
      'Use it as `sourceUrl`. Anyone who has it can read the file until `exp`. An API key of the account always can.',
  })
  url: string;

  @ApiProperty({ type: 'string', example: 'src_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ enum: IMAGE_FORMATS })
  format: ImageFormat;

  @ApiProperty({ type: 'integer', description: 'Pixels, after the EXIF orientation is applied.' })
  width: number;

  @ApiProperty({ type: 'integer' })
  height: number;

  @ApiProperty({ type: 'integer' })
  bytes: number;

  @ApiProperty({ type: 'string', description: 'SHA-256 of the uploaded bytes, hex.' })
  sha256: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;
}

export class SourceListDto extends PageDto(SourceDto) {}
