import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, Matches, MaxLength } from 'class-validator';
import { MAX_PASSWORD_TEXT } from '../passwords/credentials.dto.js';

export class TwoFactorStatusDto {
  @ApiProperty({ type: 'boolean' })
  enabled: boolean;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  enabledAt: string | null;

  @ApiProperty({ type: 'integer', description: 'Recovery codes that were not used yet.' })
  recoveryCodesLeft: number;
}

export class TwoFactorSetupDto {
  @ApiProperty({ type: 'string', description: 'The secret in base32, to type into an app.' })
  secret: string;

  @ApiProperty({ type: 'string', description: 'The `otpauth:` URL for the QR code.' })
  uri: string;
}

export class RecoveryCodesDto {
  @ApiProperty({ type: [String], description: 'Shown once. Each code works once.' })
  codes: string[];
}

/** A code of the app. */
export class AppCodeDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'code is required' })
  @Matches(/^\d{6}$/, { message: 'code must be the six digits that the app shows' })
  code: string;
}

/** A code of the app, or a recovery code. */
export class SignInCodeDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'code is required' })
  @IsString()
  @MaxLength(100)
  code: string;
}

export class PasswordConfirmationDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'password is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  password: string;
}
