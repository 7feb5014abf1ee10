import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';

const MAX_TOKEN_TEXT = 200;

export class VerifyEmailDto {
  @ApiProperty({ type: 'string', description: 'The part of the link after `#`.' })
  @IsDefined({ message: 'token is required' })
  @IsString()
  @MaxLength(MAX_TOKEN_TEXT)
  token: string;
}
