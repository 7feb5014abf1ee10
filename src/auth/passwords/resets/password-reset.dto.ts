import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { Trimmed } from '../../../common/validation/trimmed.decorator.js';
import { IsLinkToken } from '../../links/link-token.decorator.js';
import { MAX_PASSWORD_TEXT } from '../credentials.dto.js';
import { IsEmailAddress } from '../credentials.validator.js';

export class RequestPasswordResetDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'email is required' })
  @IsEmailAddress()
  @Trimmed()
  email: string;
}

export class ResetPasswordDto {
  @IsLinkToken()
  token: string;

  /** Validated in the service, which knows the account's email address. */
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'newPassword is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  newPassword: string;
}
