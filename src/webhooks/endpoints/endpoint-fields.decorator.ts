import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsMetadata } from '../../common/validation/metadata.validator.js';
import { IsNullable, IsOmittable } from '../../common/validation/omittable.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { EVERY_EVENT_ALONE, IsEventChoice } from '../events/event-choice.validator.js';
import { ANY_EVENT_TYPES, EVERY_EVENT, type EventChoice } from '../events/event-types.js';

const MAX_DESCRIPTION_CHARACTERS = 500;

/** The events that an endpoint gets. */
export function IsEndpointEvents(
  documented: { readonly default?: EventChoice[]; readonly description?: string } = {},
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: [String],
      enum: [EVERY_EVENT, ...ANY_EVENT_TYPES],
      isArray: true,
      minItems: 1,
      uniqueItems: true,
      ...EVERY_EVENT_ALONE,
      ...documented,
    }),
    IsOmittable(),
    IsEventChoice(),
  );
}

export function IsEndpointDescription(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'string', nullable: true, maxLength: MAX_DESCRIPTION_CHARACTERS }),
    IsNullable(),
    IsPlainText(MAX_DESCRIPTION_CHARACTERS),
  );
}

export function IsEndpointMetadata(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 500 },
      maxProperties: 20,
      description,
    }),
    IsOmittable(),
    IsMetadata(),
  );
}
