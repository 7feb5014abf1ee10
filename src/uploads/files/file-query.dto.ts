import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';

/** The query of a signed URL. */
export class FileQueryDto {
  @ApiPropertyOptional({ type: 'string', description: 'Unix seconds until which the address can be read.' })
  @IsOptional()
  @IsString()
  exp?: string;

  @ApiPropertyOptional({ type: 'string', description: 'Signature of file name and `exp`.' })
  @IsOptional()
  @IsString()
  sig?: string;
}
