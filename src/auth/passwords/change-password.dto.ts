import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { MAX_PASSWORD_TEXT } from './credentials.dto.js';

export class ChangePasswordDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'currentPassword is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  currentPassword: string;

  /** Validated in the service, which knows the account's email address. */
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'newPassword is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  newPassword: string;
}

export class DeleteAccountDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'password is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  password: string;

  /** The account's email address, typed by the user. */
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'confirmation is required' })
  @IsString()
  @MaxLength(254)
  confirmation: string;
}
