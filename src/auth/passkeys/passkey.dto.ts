import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsNotEmptyObject, IsObject, MinLength } from 'class-validator';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import type { Passkey } from './passkeys.repository.js';

const MAX_NAME = 100;

export class PasskeyDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  name: string;

  @ApiProperty({ type: 'string', description: 'The host name that the passkey is bound to.' })
  host: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastUsedAt: string | null;
}

export class PasskeyListDto {
  @ApiProperty({ type: [PasskeyDto] })
  data: PasskeyDto[];
}

export class RenamePasskeyDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'name is required' })
  @IsPlainText(MAX_NAME)
  @MinLength(1, { message: 'name must not be empty' })
  @Trimmed()
  name: string;
}

/** Options for `navigator.credentials` (Web Authentication, `PublicKeyCredential.parse…OptionsFromJSON`). */
export class PasskeyOptionsDto {
  @ApiProperty({ type: 'object', additionalProperties: true })
  options: object;
}

/** The response of the browser (Web Authentication, `PublicKeyCredential.toJSON`). */
export class PasskeyResponseDto {
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsDefined({ message: 'response is required' })
  @IsObject()
  @IsNotEmptyObject()
  response: Record<string, unknown>;
}

export class NewPasskeyDto extends PasskeyResponseDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'name is required' })
  @IsPlainText(MAX_NAME)
  @MinLength(1, { message: 'name must not be empty' })
  @Trimmed()
  name: string;
}

export function passkeyListDto(passkeys: readonly Passkey[]): PasskeyListDto {
  return {
    data: passkeys.map(({ id, name, rpId, createdAt, lastUsedAt }) => ({
      id,
      name,
      host: rpId,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
  };
}
