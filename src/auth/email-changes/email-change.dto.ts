import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { IsLinkToken } from '../links/link-token.decorator.js';
import { MAX_PASSWORD_TEXT } from '../passwords/credentials.dto.js';
import { IsEmailAddress } from '../passwords/credentials.validator.js';
import type { PendingEmailChange } from './email-changes.repository.js';

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

/** Also for a preview. */
export class EmailChangeTokenDto {
  @IsLinkToken()
  token: string;
}

export class EmailChangeDto {
  @ApiProperty({ type: 'string', description: 'The new address.' })
  email: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When its link expires.' })
  expiresAt: string;
}

export class PendingEmailChangeDto {
  @ApiProperty({ type: EmailChangeDto, nullable: true })
  change: EmailChangeDto | null;
}

export function emailChangeDto({ email, expiresAt }: PendingEmailChange): EmailChangeDto {
  return { email, expiresAt: expiresAt.toISOString() };
}
