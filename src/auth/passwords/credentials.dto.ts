import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { IsEmailAddress, IsNewPassword } from './credentials.validator.js';
import { MAX_PASSWORD_CHARACTERS } from './password-rules.js';

/** What a password field of any form may hold at most; what an account's may be is `passwordFault`. */
export const MAX_PASSWORD_TEXT = 4 * MAX_PASSWORD_CHARACTERS;

const trimmed = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() : value;

/** Whoever signs in says whatever they like: only what is no text, or absurdly long, is refused. */
export class CredentialsDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'email is required' })
  @IsPlainText(254)
  @Transform(trimmed)
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
  @Transform(trimmed)
  email: string;

  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'password is required' })
  @IsNewPassword()
  password: string;
}
