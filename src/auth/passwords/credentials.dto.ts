import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { IsEmailAddress, IsNewPassword } from './credentials.validator.js';
import { MAX_PASSWORD_CHARACTERS } from './password-rules.js';

/** Maximum length of a password field in any form; `passwordFault` decides what an account's password may be. */
export const MAX_PASSWORD_TEXT = 4 * MAX_PASSWORD_CHARACTERS;

/** Sign-in accepts any text: only other types and absurdly long values are refused. */
export class CredentialsDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'email is required' })
  @IsPlainText(254)
  @Trimmed()
  email: string;

  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'password is required' })
  @IsString()
  @MaxLength(MAX_PASSWORD_TEXT)
  password: string;
}

export class SignUpDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'email is required' })
  @IsEmailAddress()
  @Trimmed()
  email: string;

  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'password is required' })
  @IsNewPassword()
  password: string;
}
