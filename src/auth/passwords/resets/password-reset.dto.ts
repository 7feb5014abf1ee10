import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { MAX_PASSWORD_TEXT } from '../credentials.dto.js';
import { IsEmailAddress } from '../credentials.validator.js';

const MAX_TOKEN_TEXT = 200;

export class RequestPasswordResetDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'email is required' })
  @IsEmailAddress()
  @Transform(({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value))
  email: string;
}

export class ResetPasswordDto {
  @ApiProperty({ type: 'string', description: 'The part of the link after `#`.' })
  @IsDefined({ message: 'token is required' })
  @IsString()
  @MaxLength(MAX_TOKEN_TEXT)
  token: string;

  /** Validated in the service, which knows the account's email address. */
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'newPassword is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  newPassword: string;
}
