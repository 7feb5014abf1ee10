import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';

/** The query of a signed URL. */
export class FileQueryDto {
  @ApiPropertyOptional({ type: 'string', description: 'When the URL expires, in Unix seconds.' })
  @IsOptional()
  @IsString()
  exp?: string;

  @ApiPropertyOptional({ type: 'string', description: 'Signature of file name and `exp`.' })
  @IsOptional()
  @IsString()
  sig?: string;
}
