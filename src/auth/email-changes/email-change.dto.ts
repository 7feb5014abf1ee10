import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { IsLinkToken } from '../links/link-token.decorator.js';
import { MAX_PASSWORD_TEXT } from '../passwords/credentials.dto.js';
import { IsEmailAddress } from '../passwords/credentials.validator.js';

export class RequestEmailChangeDto {
  /** The new address. */
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'email is required' })
  @IsEmailAddress()
  @Trimmed()
  email: string;

  /** The current password of the user. */
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'password is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  password: string;
}

export class CompleteEmailChangeDto {
  @IsLinkToken()
  token: string;
}
