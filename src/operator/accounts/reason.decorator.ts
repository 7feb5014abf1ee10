import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, MinLength } from 'class-validator';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';

const MAX_REASON = 300;

/** An operator's reason for an action, as free text. */
export function IsReason(description: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_REASON, description }),
    IsDefined({ message: 'reason is required' }),
    IsPlainText(MAX_REASON),
    MinLength(1, { message: 'reason must not be empty' }),
    Trimmed(),
  );
}
