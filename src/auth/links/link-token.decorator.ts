import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';

/** Longer than any token. */
const MAX_TOKEN_TEXT = 200;

/** The token of a link, see `tokenLink`. */
export function IsLinkToken(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', description: 'The part of the link after `#`.' }),
    IsDefined({ message: 'token is required' }),
    IsString(),
    MaxLength(MAX_TOKEN_TEXT),
  );
}
