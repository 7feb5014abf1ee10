import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsString } from 'class-validator';
import { IsMetadata } from '../../common/validation/metadata.validator.js';
import { IsNullable, IsOmittable } from '../../common/validation/omittable.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { EVERY_EVENT_ALONE, IsEventChoice } from '../events/event-choice.validator.js';
import { ANY_EVENT_TYPES, EVERY_EVENT, type EventChoice } from '../events/event-types.js';

export const MAX_DESCRIPTION_CHARACTERS = 500;

export class CreateEndpointDto {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    pattern: '^https?://',
    maxLength: 2048,
    example: 'https://example.com/webhooks/images',
    description:
      'Where events are sent: `https`, reachable from the public internet, at most 2,048 characters.',
  })
  @IsDefined({ message: 'url is required' })
  @IsString()
  url: string;

  @ApiPropertyOptional({
    type: [String],
    enum: [EVERY_EVENT, ...ANY_EVENT_TYPES],
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    ...EVERY_EVENT_ALONE,
    default: [EVERY_EVENT],
    description:
      'Which events it gets. `["*"]`: every type there is or will be, aliases included, except those for operators: `plan.requested` and `plan.changed`.',
  })
  @IsOmittable()
  @IsEventChoice()
  events?: EventChoice[];

  @ApiPropertyOptional({ type: 'string', nullable: true, maxLength: MAX_DESCRIPTION_CHARACTERS })
  @IsNullable()
  @IsPlainText(MAX_DESCRIPTION_CHARACTERS)
  description?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 20,
    description: 'At most 20 pairs of text, given back with the endpoint.',
  })
  @IsOmittable()
  @IsMetadata()
  metadata?: Record<string, string>;
}
